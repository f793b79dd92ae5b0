"""Pieces of English sentences, and the questions about aspects with the words of their answers."""

import datetime as dt
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from insights.aggregate import Subject
from insights.prose.quotable import stems
from insights.statistics import LABELS, SentimentTotals

TEXTS: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_name("texts.toml").read_text(encoding="utf-8")
)
IMPLYING = 0.5  # The weight of a word that does not name what is asked about.
_NUMBERS = "zero one two three four five six seven eight nine".split()
_MONTHS = (
    "January February March April May June July August September October November December"
).split()


def listed(items: Sequence[str]) -> str:
    """Like "a", "a and b", "a, b and c"; with semicolons where an item has a comma of its own."""
    if len(items) > 1 and any("," in item for item in items):
        return f"{'; '.join(items[:-1])}; and {items[-1]}"
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def within(label: str) -> str:
    """A label as it stands within a sentence: "Price" loses its capital, "AC" and "Wi-Fi" not."""
    first, second = label.split(maxsplit=1)[0] if label.strip() else "", label[1:2]
    keeps = any(each.isupper() for each in first[1:]) or second == "/"
    return label if keeps else label[:1].lower() + label[1:]


def reviews(count: int) -> str:
    return "1 review" if count == 1 else f"{count} reviews"


def spelled(count: int) -> str:
    """A number as editors write it: in words below ten."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def percent(value: float) -> str:
    return f"{value:g}%"


def months(earliest: dt.date, latest: dt.date) -> str:
    """Like "from March 2024 to May 2026"."""
    first, last = (f"{_MONTHS[date.month - 1]} {date.year}" for date in (earliest, latest))
    return f"from {first}" if first == last else f"from {first} to {last}"


# --- What is judged -------------------------------------------------------------------------------


class AspectQuestion(NamedTuple):
    question: str
    topic: str  # What its reviews mention: "punctuality", "the food".
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


def praised(aspect: str, label: str) -> str:
    """Name of the praised side of an aspect within a sentence: "food and drink", "short waits"."""
    topic = question_about(aspect, label).topic.replace(" or ", " and ")
    return str(TEXTS["judged"].get(label, topic))


def complain_about(complaint: str, label: str) -> str:
    """Object of a complaint: "waiting and lateness"."""
    written = TEXTS["complaints"].get(complaint)
    return written["about"] if written else within(label)


def complain_of(complaint: str, label: str) -> str:
    """Predicate of customers with this complaint: "were kept waiting"."""
    written = TEXTS["complaints"].get(complaint)
    return written["did"] if written else f"complain about {praised(complaint, label)}"


# --- Counts ---------------------------------------------------------------------------------------


def opinions(totals: SentimentTotals) -> str:
    """Like "36 are positive, 2 neutral and 3 negative"."""
    (label, count), *others = [(each, totals.of(each)) for each in LABELS if totals.of(each)]
    first = f"{count} {'is' if count == 1 else 'are'} {label}"
    return listed([first, *(f"{count} {label}" for label, count in others)])


def praise_of(people: Sequence[Subject]) -> str:
    """Sentence like "Mark is praised in 7 of 8 reviews, Ana in 5 of 5", of one at least."""
    first, *others = people
    shares = [
        f"{first.label} is praised in {first.totals.positive} of {reviews(first.count)}",
        *(f"{other.label} in {other.totals.positive} of {other.count}" for other in others),
    ]
    return f"{listed(shares)}."
