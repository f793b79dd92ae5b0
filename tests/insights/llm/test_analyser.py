"""Analysis by a language model, with the rules as fallback."""

import json
import re
import threading

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from insights.backends import ReviewInput, RulesAnalyser
from insights.llm import ChatAnalyser
from insights.llm.analyser import PAUSE_SECONDS
from insights.llm.client import MAX_BYTES
from insights.models import Artifact, ChatAnswer, ChatDay, ReviewAnalysis
from insights.refresh import refresh
from insights.tasks import ask_again
from review_analysis.name_matching import PersonEntry, Roster
from tests.config.test_celery import GOOD
from tests.factories import make_business, make_review
from tests.insights.llm.chat_server import completion, failure
from tests.processes import environment, run

pytestmark = pytest.mark.django_db(transaction=True)

TAXONOMY = {
    "id": "t",
    "version": 1,
    "aspects": [{"id": "price", "label": "Price", "terms": ["price"]}],
    "problems": [],
    "topics": [],
}
ROSTER = Roster(people=[PersonEntry("kim-lee", "Kim Lee")])
MODEL = "llm:small/prompt-2"
RULES = RulesAnalyser.model_id


@pytest.fixture
def server(language_model):
    language_model.answer = answer_from_the_text
    return language_model


def reviews_of(request):
    return json.loads(request["messages"][1]["content"])["reviews"]


def entry(review, **members):
    """Return findings of a good model, which finds every price bad."""
    found = [{"id": "price", "label": "negative", "score": -0.75, "quote": review["text"]}]
    lists = {kind: [] for kind in ("technicians", "services", "problems", "topics")}
    return {
        "number": review["number"],
        "sentiment": {"label": "negative", "score": -0.5},
        "aspects": found if "price" in review["text"] else [],
        **lists,
        **members,
    }


def answer_from_the_text(request):
    reviews = reviews_of(request)
    if any("broken" in each["text"] for each in reviews):
        return completion("no JSON")
    return completion({"reviews": [entry(each) for each in reviews]})


def review(text, rating=5):
    import datetime as dt

    return ReviewInput(text, rating, dt.date(2026, 3, 14))


def analyse(*texts, analyser=None):
    batch = [review(text) for text in texts]
    return (analyser or ChatAnalyser()).analyse(batch, TAXONOMY, ROSTER)


def test_analysis_is_by_model_with_names_by_roster(server):
    (result,) = analyse("Kim Lee printed us a price.")

    assert result.model == MODEL
    assert (result.reading.label, result.reading.aspects[0].score) == ("positive", -0.75)
    assert [entity.id for entity in result.reading.entities] == ["kim-lee"]
    offered = json.loads(server.requests[0]["messages"][1]["content"])
    assert offered["technicians"] == {"kim-lee": "Kim Lee"}


def test_invalid_answer_falls_back_to_rules(server, caplog):
    good, bad = analyse("We saw a price.", "A great job, never a broken promise.")

    assert (good.model, bad.model) == (MODEL, RULES)
    assert bad.reading.label == "positive"
    assert ChatDay.objects.get().fallbacks == 1
    assert "promise" not in caplog.text


def test_answers_are_cached(server):
    analyse("We saw a price.", "broken")
    again = analyse("We saw a price.", "broken", "We saw a price.")

    assert [result.model for result in again] == [MODEL, RULES, MODEL]
    assert len(server.requests) == 3  # Both together, then each alone.
    assert ChatAnswer.objects.count() == 2


def test_failing_server_is_not_asked_for_a_while(server, monkeypatch, caplog):
    clock = [1000.0]
    monkeypatch.setattr("insights.llm.analyser.time.monotonic", lambda: clock[0])
    monkeypatch.setattr("insights.llm.analyser.THREADS", 1)
    monkeypatch.setattr("insights.llm.analyser.TOGETHER", 1)
    server.answer = lambda _: failure(500)
    analyser = ChatAnalyser()

    first = analyse("one price", "two price", "three price", "four price", analyser=analyser)
    second = analyse("five price", analyser=analyser)

    assert {result.model for result in (*first, *second)} == {RULES}
    assert len(server.requests) == 9  # Three tries of three questions.
    assert "gives no answer: it answered 500" in caplog.text
    assert "the-key" not in caplog.text

    clock[0] += PAUSE_SECONDS
    analyse("six price", analyser=analyser)
    server.answer = answer_from_the_text
    assert analyse("seven price", analyser=analyser)[0].model == RULES

    clock[0] += PAUSE_SECONDS
    assert analyse("eight price", analyser=analyser)[0].model == MODEL


SILENCE = (200, {}, b'{"choices": [{"message": {"content": null, "refusal": "No."}}]}')


@pytest.mark.parametrize(
    "odd",
    [
        SILENCE,
        failure(400),
        failure(500),
        (200, {}, b"<html>"),
        (200, {}, b" " * (MAX_BYTES + 1)),
    ],
    ids=["no text", "question refused", "fails each time", "no completion", "too long"],
)
def test_review_without_answer_does_not_affect_others(server, caplog, odd):
    def decline_one(requests):
        return odd if "awkward" in json.dumps(requests) else answer_from_the_text(requests)

    server.answer = decline_one
    reviews = ["awkward price", *(f"{number} price" for number in range(9))]
    analyser = ChatAnalyser()

    results = analyse(*reviews[:1], analyser=analyser) + analyse(*reviews[1:], analyser=analyser)

    assert [result.model for result in results] == [RULES] + [MODEL] * 9
    assert "awkward" not in caplog.text


@pytest.mark.parametrize(
    ("setting", "budget"),
    [("INSIGHTS_CHAT_REVIEWS_PER_DAY", 2), ("INSIGHTS_CHAT_TOKENS_PER_DAY", 150)],
)
def test_requests_end_with_daily_budget(server, settings, setting, budget):
    setattr(settings, setting, budget)
    analyser = ChatAnalyser()

    models = [
        analyse(f"we saw {word} price", analyser=analyser)[0].model
        for word in ("one", "two", "three")
    ]

    assert models == [MODEL, MODEL, RULES]
    day = ChatDay.objects.get()
    assert (day.reviews, day.tokens, day.fallbacks) == (2, 200, 1)


# --- Models: good, sloppy, lying and slow ---------------------------------------------------------

OVERBILLED = (
    "The invoice\nwas \u201ctwice\u201d what they\u2019d quoted \u2014 and nobody apologised."
)
CLAIM = {"id": "", "label": "invoice twice quoted", "resolved": False}


def findings_with(server, problems, text=OVERBILLED):
    server.answer = lambda request: completion(
        {"reviews": [entry(each, problems=problems) for each in reviews_of(request)]}
    )
    return analyse(text)[0]


@pytest.mark.parametrize(
    ("claim", "is_shown"),
    [
        ({"quote": 'invoice was "twice" what they\'d quoted - and'}, True),  # Sloppy.
        ({"quote": "\u2026The  INVOICE was twice\u2026"}, True),  # Without the marks in between.
        ({"quote": "the invoice was 'twice' what"}, True),
        ({"quote": "they\u0301d quoted--and nobody apologised..."}, True),
        ({"quote": "They stole my car"}, False),  # Lies.
        ({"quote": "The invoice"}, False),  # Too short to show anything.
        ({"quote": "e invoice was \u201ctwice\u201d"}, False),  # Cut within a word.
        ({"quote": "they'd quoted - and nobody apologised", "label": "thieves"}, False),
        ({"quote": "they'd quoted - and nobody apologised", "label": "They stole money"}, False),
        ({"quote": 7}, False),
    ],
)
def test_problem_outside_of_list_is_shown_in_words_of_review(server, claim, is_shown):
    result = findings_with(server, [CLAIM | claim])

    assert result.model == MODEL  # A bad entry does not affect the rest of the review.
    labels = [each.label for each in result.complaints]
    assert labels == (["Invoice twice quoted"] if is_shown else [])
    if is_shown:
        assert OVERBILLED[slice(*result.complaints[0][:2])].endswith("apologised.")


def test_labels_of_one_problem_are_merged_and_counted(server):
    make_business()
    for number in range(3):
        make_review(text=OVERBILLED, rating=1, author=f"A{number}")
    labels = iter(["invoice twice quoted", "twice quoted invoice", "Quoted twice invoices"] * 9)
    server.answer = lambda request: completion(
        {
            "reviews": [
                entry(each, problems=[CLAIM | {"quote": each["text"], "label": next(labels)}])
                for each in reviews_of(request)
            ]
        }
    )

    refresh()

    items = json.loads(Artifact.objects.get().json)["complaints"]["items"]
    counts = {each["label"]: each["mention_count"] for each in items}
    assert counts["Invoice twice quoted"] == 3


def test_praise_that_rules_read_as_blame_is_not_shown(server):
    text = "The price was outrageous. It was a fair price for us all."
    praise = {"id": "price", "label": "positive", "score": 0.8}
    server.answer = lambda request: completion(
        {
            "reviews": [
                entry(each, aspects=[praise | {"quote": "price was outrageous"}])
                for each in reviews_of(request)
            ]
        }
    )

    assert analyse(text)[0].reading.aspects == ()


def test_reviews_missing_in_answer_are_asked_about_alone(server):
    server.answer = lambda request: completion(
        {"reviews": [entry(each) for each in reviews_of(request)][:1]}
    )

    results = analyse("we saw one price", "we saw two price", "we saw three price")

    assert [result.model for result in results] == [MODEL] * 3
    assert [len(reviews_of(request)) for request in server.requests] == [3, 1, 1]


def test_slow_model_is_asked_about_single_reviews(server, monkeypatch):
    monkeypatch.setattr("insights.llm.client.TIMEOUT_SECONDS", 0.5)

    def answer(request):
        if len(reviews_of(request)) > 1:
            threading.Event().wait(1.0)
        return answer_from_the_text(request)

    server.answer = answer
    analyser = ChatAnalyser()

    first = analyse("we saw one price", "we saw two price", analyser=analyser)
    second = analyse("we saw three price", "we saw four price", analyser=analyser)

    assert [result.model for result in (*first, *second)] == [MODEL] * 4
    assert [len(reviews_of(request)) for request in server.requests] == [2, 1, 1, 1, 1]


def test_reviews_beyond_budget_are_asked_about_next_day(server, settings):
    settings.INSIGHTS_CHAT_REVIEWS_PER_DAY = 1
    make_business()
    make_review(text="We saw a price.")
    make_review(text="We saw another price.")
    refresh()
    assert set(ReviewAnalysis.objects.values_list("model", flat=True)) == {MODEL, RULES}

    ChatDay.objects.all().delete()  # A day later.
    ask_again()

    assert set(ReviewAnalysis.objects.values_list("model", flat=True)) == {MODEL}
    assert len(server.requests) == 2


def test_cost_is_estimated_before_sending(server, capsys):
    make_business()
    for number in range(7):
        make_review(text=f"We saw {number} price.")
    make_review(text="")

    call_command("refresh_insights", "--estimate")

    printed = capsys.readouterr().out
    assert printed.startswith(f"7 reviews are to be read by {MODEL}: 2 requests, about ")
    assert "over 1 days by the budgets. Nothing was sent." in printed
    assert server.requests == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("missing", "given"),
    [
        ("INSIGHTS_CHAT_URL", {"INSIGHTS_CHAT_MODEL": "small"}),
        ("INSIGHTS_CHAT_MODEL", {"INSIGHTS_CHAT_URL": "http://127.0.0.1:9/v1"}),
    ],
)
def test_server_and_model_are_required(tmp_path, missing, given):
    env = environment(tmp_path, **GOOD, INSIGHTS_ANALYSER="insights.llm.ChatAnalyser", **given)

    done = run("manage.py", "check", env=env)

    assert done.returncode == 1
    assert done.stderr.startswith(f"{missing} is not set.")


NOT_THERE = r"^INSIGHTS_ANALYSER is '{}', which cannot be used \(.+\)\. Set it to the dotted path"


@pytest.mark.parametrize("path", ["nonsense", "insights.nowhere.Analyser", "insights.llm.Nobody"])
def test_missing_analyser_is_refused_by_name(settings, path):
    settings.INSIGHTS_ANALYSER = path

    with pytest.raises(ImproperlyConfigured, match=NOT_THERE.format(re.escape(path))):
        apps.get_app_config("config").ready()
