"""Questions about aspects, and the words by which a sentence answers each."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from insights.prose.quotable import stems
from insights.prose.wording import TEXTS, within

IMPLYING = 0.5  # The weight of a word that does not name what is asked about.


class AspectQuestion(NamedTuple):
    question: str
    topic: str  # What its reviews mention.
    words: str = ""  # By which an answer may name it, beside those of question, topic and label.


def question_about(aspect: str, label: str) -> AspectQuestion:
    """Question about an aspect; about one of the administrators' own by its label."""
    written = TEXTS["labels"].get(label) or TEXTS["aspects"].get(aspect)
    if written is None:
        name = within(label)
        return AspectQuestion(f"Are reviewers happy with {name}?", name)
    group = TEXTS["groups"].get(written.get("group"), "")
    words = f"{group} {written.get('words', '')}"
    return AspectQuestion(written["question"], written["topic"], words)


@cache
def answering_stems(aspect: str, label: str) -> Mapping[str, float]:
    """Stems with weights, of which a sentence that answers has one."""
    question, topic, words = question_about(aspect, label)
    naming = dict.fromkeys(stems(question, topic, label), 1.0)
    return {**dict.fromkeys(stems(words), IMPLYING), **naming}
