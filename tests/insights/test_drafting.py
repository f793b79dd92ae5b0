"""A language model rewords what is published, and tells nothing of its own."""

import datetime as dt
import json

import pytest
from django.contrib.auth.models import User

from insights import services
from insights.dataset import build
from insights.models import ChatDay, InsightText
from insights.refresh import refresh
from insights.tasks import draft_texts
from tests.factories import make_business, make_review
from tests.insights.llm.chat_server import completion

NOON = dt.datetime(2026, 3, 20, 12, tzinfo=dt.UTC)
SUMMARY = "/admin/insights/insighttext/summary/"
QUOTE = "They arrived on time and the price was fair."
DRAFT = "Customers wrote 6 reviews."

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def texts(language_model):
    """Six reviews, read by the rules; the model answers with the drafts in this dictionary."""
    drafts = {"summary": DRAFT}

    def answer(requests):
        about = json.loads(requests["messages"][1]["content"])
        return completion(
            "no JSON" if "review" in about else {**dict.fromkeys(about, ""), **drafts}
        )

    language_model.answer = answer
    make_business(name="Tern Hollow")
    for number in range(6):
        make_review(text=QUOTE, author=f"Author {number}")
    refresh()
    language_model.requests.clear()
    return drafts


def published():
    refresh()
    return json.loads(build(NOON))


def drafted():
    draft_texts()
    return published()


def test_a_draft_that_tells_the_same_is_published_with_the_quotation_of_the_text(texts):
    assert drafted()["summary"] == f"{DRAFT} One review says: “{QUOTE}”"


def test_an_answer_is_reworded_and_keeps_its_evidence(texts):
    before = {question["question"]: question for question in published()["faq"]}
    texts["aspect-price"] = "Of 6 reviews that mention the price all are positive."

    after = {question["question"]: question for question in drafted()["faq"]}

    changed = [each for each in after if after[each] != before[each]]
    assert changed == ["Are the prices fair?"]
    assert after[changed[0]]["answer"].startswith(texts["aspect-price"])
    assert after[changed[0]]["review_ids"] == before[changed[0]]["review_ids"]


def test_the_model_is_given_no_word_of_a_review(texts, language_model):
    draft_texts()

    (requests,) = language_model.requests
    assert "6 reviews" in requests["messages"][1]["content"]
    assert QUOTE not in json.dumps(requests)


def test_a_draft_with_a_number_of_its_own_waits_for_an_administrator(texts, admin_client):
    automatic = published()["summary"]
    texts["summary"] = "Customers wrote 7 reviews."

    assert drafted()["summary"] == automatic
    page = admin_client.get(SUMMARY).content.decode()
    assert "The automatic text does not tell the number 7." in page
    assert texts["summary"] in page

    waits = "The text of a language model waits for your approval: Summary"
    assert waits in admin_client.get("/admin/").content.decode()

    admin_client.post(SUMMARY, {"text": texts["summary"]})
    assert published()["summary"] == texts["summary"]
    assert waits not in admin_client.get("/admin/").content.decode()


def test_a_draft_is_published_only_as_long_as_it_fits_the_numbers(texts, language_model):
    drafted()
    make_review(text=QUOTE, author="Author 7")

    assert published()["summary"].startswith("Tern Hollow has 7 reviews")

    texts["summary"] = "Customers wrote 7 reviews."
    assert drafted()["summary"].startswith(texts["summary"])


def test_a_draft_that_fits_is_not_asked_for_again(texts, language_model):
    texts |= {"aspect-price": "All are positive.", "aspect-punctuality": "All are positive."}
    draft_texts()
    refresh()
    draft_texts()

    assert len(language_model.requests) == 1


@pytest.mark.parametrize(
    "decision", [{"text": "Ours.", "source": "edited"}, {"hidden": True}], ids=["edited", "hidden"]
)
def test_what_an_administrator_decided_is_left_alone(texts, decision):
    services.decide_text("summary", "", User.objects.create(username="ann"), **decision)
    before = published().get("summary")

    assert drafted().get("summary") == before


def test_nothing_is_written_when_the_budget_is_used_up(texts, language_model, settings):
    settings.INSIGHTS_CHAT_REVIEWS_PER_DAY = ChatDay.objects.get().reviews

    assert drafted()["summary"].startswith("Tern Hollow has 6 reviews")
    assert language_model.requests == []


def test_an_answer_that_is_no_use_leaves_the_texts_as_they_are(texts, language_model, caplog):
    language_model.answer = lambda _: completion("no JSON")

    assert drafted()["summary"].startswith("Tern Hollow has 6 reviews")
    assert "the answer is not JSON" in caplog.text


def test_the_rules_write_no_drafts():
    make_review()
    refresh()
    draft_texts()

    assert not InsightText.objects.exists()
