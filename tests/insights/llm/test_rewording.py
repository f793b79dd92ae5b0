"""Of a language model's drafts those are kept that can be shown."""

import json

import pytest

from insights.llm.prompts import AnswerRefused
from insights.llm.rewriting import read_drafts


def test_an_answer_gives_the_drafts_that_were_asked_for():
    given = {"summary": " Fine\n work. ", "other": "Hello."}

    assert read_drafts(json.dumps(given), {"summary": ""}) == {"summary": "Fine work."}


@pytest.mark.parametrize("given", [7, "", " ", "\0", "\ud800", "Good \u202ework.", "Good. " * 200])
def test_a_draft_that_cannot_be_kept_or_shown_is_none(given):
    assert read_drafts(json.dumps({"summary": given}), {"summary": ""}) == {}


@pytest.mark.parametrize("content", ["no JSON", "[]", "[" * 100_000])
def test_an_answer_without_drafts_is_refused(content):
    with pytest.raises(AnswerRefused):
        read_drafts(content, {"summary": ""})
