"""Parts of sentences and questions about aspects, in the active language.

`gettext` translates the texts of `texts.toml` and the labels of taxonomies too.
"""

import datetime as dt
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from django.utils.formats import date_format, number_format
from django.utils.translation import get_language, gettext, ngettext

from insights.aggregate import Subject
from insights.prose.quotable import stems
from insights.statistics import LABELS, SentimentTotals
from review_analysis.reading import Label

TEXTS: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_name("texts.toml").read_text(encoding="utf-8")
)


def listed(items: Sequence[str]) -> str:
    """Join items like "a, b and c", with semicolons if an item contains a comma."""
    if len(items) < 2:
        return "".join(items)
    if any("," in item for item in items):
        return gettext("%(others)s; and %(last)s") % {
            "others": "; ".join(items[:-1]),
            "last": items[-1],
        }
    return gettext("%(others)s and %(last)s") % {"others": ", ".join(items[:-1]), "last": items[-1]}


def within(label: str) -> str:
    """Translate a label for use within a sentence: "price", but "AC" and "Wi-Fi"."""
    label = gettext(label) if label else ""
    first, second = label.split(maxsplit=1)[0] if label.strip() else "", label[1:2]
    keeps = any(each.isupper() for each in first[1:]) or second == "/"
    is_english = (get_language() or "en").startswith("en")
    return label if keeps or not is_english else label[:1].lower() + label[1:]


def spelled(count: int) -> str:
    """Write a number below ten as a word."""
    numbers = (
        gettext("zero"), gettext("one"), gettext("two"), gettext("three"), gettext("four"),
        gettext("five"), gettext("six"), gettext("seven"), gettext("eight"), gettext("nine"),
    )  # fmt: skip
    return numbers[count] if count < len(numbers) else str(count)


def percent(value: float) -> str:
    return gettext("%(number)s%%") % {"number": number_format(f"{value:g}")}


def stars(mean: float) -> str:
    return number_format(f"{mean:.2f}")


def months(earliest: dt.date, latest: dt.date) -> str:
    """Format a period like "from March 2024 to May 2026"."""
    first, last = (date_format(date, "F Y") for date in (earliest, latest))
    if first == last:
        return gettext("from %(month)s") % {"month": first}
    return gettext("from %(first)s to %(last)s") % {"first": first, "last": last}


def says(quote: str) -> str:
    return gettext("One review says: “%(quote)s”") % {"quote": quote}


def another_says(quote: str) -> str:
    return gettext("Another says: “%(quote)s”") % {"quote": quote}


# --- Aspects and complaints -----------------------------------------------------------------------


class AspectQuestion(NamedTuple):
    question: str
    topic: str  # Object of "mention" within a sentence: "punctuality", "the food".


def question_about(aspect: str, label: str) -> AspectQuestion:
    """Question about an aspect, made of its label if no text is written for the aspect."""
    if written := _written(aspect, label):
        return AspectQuestion(gettext(written["question"]), gettext(written["topic"]))
    return AspectQuestion(question_of(within(label)), within(label))


def question_of(topic: str) -> str:
    """Question about a subject without a written question."""
    return gettext("Are reviewers happy with %(topic)s?") % {"topic": topic}


def _written(aspect: str, label: str) -> Mapping[str, str]:
    found: Mapping[str, str] = TEXTS["labels"].get(label) or TEXTS["aspects"].get(aspect, {})
    return found


@cache
def answering_stems(aspect: str, label: str) -> frozenset[str]:
    """Stems of English words, one of which a sentence about an aspect contains."""
    written = _written(aspect, label)
    return stems(
        TEXTS["groups"].get(written.get("group"), ""),
        *(written.get(member, "") for member in ("words", "question", "topic")),
        label,
    )


def praised(aspect: str, label: str) -> str:
    """Object of "praise" for an aspect: "food and drink", "short waits"."""
    topic = _written(aspect, label).get("topic")
    if written := TEXTS["judged"].get(label) or TEXTS["praised"].get(topic):
        return gettext(written["label"])
    return question_about(aspect, label).topic


def complain_about(complaint: str, label: str) -> str:
    """Object of "complain about": "waiting and lateness"."""
    written = TEXTS["complaints"].get(complaint)
    return gettext(written["about"]) if written else within(label)


def complain_of(complaint: str, label: str) -> str:
    """Predicate of the customers with a complaint: "were kept waiting"."""
    if written := TEXTS["complaints"].get(complaint):
        return gettext(written["did"])
    return gettext("complain about %(topic)s") % {"topic": praised(complaint, label)}


# --- Counts ---------------------------------------------------------------------------------------


def opinions(totals: SentimentTotals) -> str:
    """Format counts like "36 are positive, 2 neutral and 3 negative"."""
    counts = {label: totals.of(label) for label in LABELS if totals.of(label)}
    first = next(iter(counts.values()), 0)
    beginning = {
        "positive": ngettext("%(count)d is positive", "%(count)d are positive", first),
        "neutral": ngettext("%(count)d is neutral", "%(count)d are neutral", first),
        "negative": ngettext("%(count)d is negative", "%(count)d are negative", first),
    }
    following = {
        "positive": gettext("%(count)d positive"),
        "neutral": gettext("%(count)d neutral"),
        "negative": gettext("%(count)d negative"),
    }
    return by_label(beginning, following, {label: {"count": counts[label]} for label in counts})


def by_label(
    beginning: Mapping[str, str],
    following: Mapping[str, str],
    values: Mapping[Label, Mapping[str, object]],
) -> str:
    """List the values of each label; only the first item has the verb."""
    return listed(
        [
            (following if number else beginning)[label] % value
            for number, (label, value) in enumerate(values.items())
        ]
    )


def praise_of(people: Sequence[Subject]) -> str:
    """Format praise, like "Mark is praised in 7 of 8 reviews and Ana in 5 of 5."."""
    shares = [
        (
            gettext("%(name)s in %(positive)d of %(count)d")
            if number
            else ngettext(
                "%(name)s is praised in %(positive)d of %(count)d review",
                "%(name)s is praised in %(positive)d of %(count)d reviews",
                person.count,
            )
        )
        % {"name": person.label, "positive": person.totals.positive, "count": person.count}
        for number, person in enumerate(people)
    ]
    return f"{listed(shares)}."
