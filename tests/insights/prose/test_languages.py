"""Sentences of insights are whole messages in the active language."""

import re
from itertools import chain

import pytest
from django.utils import translation

from insights.documents import insights, insights_in
from insights.prose.faq import questions
from insights.prose.summary import summary
from insights.refresh import refresh
from tests.factories import make_business, make_review
from tests.insights.prose.corpus import NAMES, aggregate, record, said
from website.opinions import changes, complaints, strengths

FRAME = re.compile(r"⟦[^⟦⟧]*⟧")
QUOTE = re.compile("“[^”]*”")


@pytest.fixture
def bracketed_messages(monkeypatch):
    """Put brackets around every message, so that words outside of messages show."""
    messages = {
        "gettext": lambda message: f"⟦{message}⟧",
        "ngettext": lambda one, many, number: f"⟦{one if number == 1 else many}⟧",
    }
    for name, framing in messages.items():
        monkeypatch.setattr(translation._trans, name, framing, raising=False)


def reviews():
    for number in range(12):
        yield record(number, said("They came on time.", 0.9, aspects=["punctuality"]))
    for number in range(12, 24):
        yield record(
            number,
            said("Ana Reyes fixed the drain well.", 0.9, technicians=["ana-reyes"]),
            said("It was late.", -0.9, aspects=["punctuality"], areas=["eastgate"]),
            rating=1 + number % 2,
        )


def words_outside(text: str) -> str:
    """Return letters outside of messages, quotations and names."""
    text = QUOTE.sub("", text)
    while FRAME.search(text):
        text = FRAME.sub("", text)
    names = (*NAMES.technicians.values(), *NAMES.areas.values(), "Ferrum")
    for name in names:
        text = text.replace(name, "")
    return re.sub(r"[\W\d_]+", " ", text).strip()


def test_summary_and_answers_consist_of_messages(bracketed_messages):
    sums = aggregate(*reviews())

    texts = [
        summary(sums, "Ferrum").text,
        *chain.from_iterable((each.question, each.answer) for each in questions(sums)),
    ]

    assert len(texts) > 5
    assert [words_outside(text) for text in texts] == [""] * len(texts)


@pytest.mark.django_db(transaction=True)
def test_page_sentences_consist_of_messages(bracketed_messages):
    make_business()
    for number in range(8):
        make_review(text=f"The price was fair in week {number}.", author=f"A{number}")
        make_review(text="I waited two hours.", rating=1, author=f"B{number}")
    refresh()
    known = insights()

    texts = [point.text for point in (*strengths(known), *complaints(known))]
    texts += changes(known["temporal"])

    assert len(texts) >= 2
    assert [words_outside(text) for text in texts] == [""] * len(texts)


@pytest.mark.django_db(transaction=True)
def test_texts_in_other_language_are_added_to_published_ones():
    make_business()
    for number in range(8):
        make_review(text=f"The price was fair in week {number}.", author=f"A{number}")
    with translation.override("de"):
        refresh()

    assert insights()["faq"][0]["question"] == "Are the prices fair?"
    assert insights_in("de")["faq"][0]["question"] == "Sind die Preise fair?"
    assert insights_in("de")["summary"] not in {"", insights()["summary"]}
    assert insights_in("xx")["faq"] == insights()["faq"]
