"""Decisions on texts are published, as long as their evidence is public."""

from types import SimpleNamespace

import pytest

from insights.editorial import Texts, decided
from insights.prose.faq import Question
from insights.prose.quotations import Written
from tests.insights.counting import review

PUBLIC = {record.ulid: record for record in (review(1, text="A fair price."), review(2))}
FIRST, SECOND = PUBLIC
HIDDEN = review(3).ulid
WRITTEN = Texts(
    Written("Two reviews.", (FIRST,)),
    Written("A fair price.", (FIRST,)),
    [
        Question("price", "Is it cheap?", "Yes.", (FIRST,)),
        Question("time", "Are they late?", "No.", (SECOND,)),
    ],
)


def after(kind, slug="", **members):
    values = {"question": "", "text": "", "hidden": False, "locked": False, "pinned": False}
    values["evidence_ids"] = []
    decision = SimpleNamespace(slug=slug, **(values | members))
    return decided(WRITTEN, {(kind, slug): decision}, PUBLIC)


def test_without_a_decision_the_texts_are_the_automatic_ones():
    assert decided(WRITTEN, {}, PUBLIC) == WRITTEN


def test_a_locked_text_stays_whatever_becomes_of_its_evidence():
    shown = after("summary", text="We fix pipes.", locked=True, evidence_ids=[HIDDEN])

    assert shown.summary.text == "We fix pipes."


def test_a_locked_answer_names_no_review_that_is_not_public():
    own = {"question": "Who?", "text": "Ann.", "locked": True}

    other_left = after("faq", "own", evidence_ids=[HIDDEN, SECOND], **own).questions[-1]
    none_left = after("faq", "price", evidence_ids=[HIDDEN], **own).questions[0]

    assert other_left == Question("own", "Who?", "Ann.", (SECOND,))
    assert none_left == Question("price", "Who?", "Ann.", (FIRST,))


def test_a_text_falls_back_when_a_review_that_it_rests_on_is_no_longer_public():
    decision = {"text": "Ann said so.", "evidence_ids": [FIRST, HIDDEN]}

    assert after("summary", **decision).summary == WRITTEN.summary
    assert after("faq", "price", **decision).questions == WRITTEN.questions
    assert after("faq", "own", question="Who?", **decision).questions == WRITTEN.questions


@pytest.mark.parametrize(
    ("chosen", "shown"), [("fair price", "fair price"), ("Invented.", "A fair price.")]
)
def test_a_chosen_quote_stands_in_a_public_review(chosen, shown):
    assert after("pull_quote", text=chosen).pull_quote.text == shown


def test_a_question_is_answered_otherwise_or_left_out():
    edited = after("faq", "price", text="Fair.", question="Is it fair?").questions
    hidden = after("faq", "price", hidden=True).questions

    assert edited[0] == Question("price", "Is it fair?", "Fair.", (FIRST,))
    assert [question.slug for question in hidden] == ["time"]


def test_pinned_questions_come_first_and_added_ones_last():
    pinned = after("faq", "time", pinned=True).questions
    added = after("faq", "a-dog", question="Is there a dog?", text="Yes.").questions

    assert [question.slug for question in pinned] == ["time", "price"]
    assert [question.slug for question in added] == ["price", "time", "a-dog"]
