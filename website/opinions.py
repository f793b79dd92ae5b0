"""Describe strengths, complaints and changes in sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from insights.prose.wording import complain_of, praised, spelled
from insights.statistics import LABELS, SentimentTotals
from insights.verdicts import is_strength
from website.templatetags.review_tags import opinion

Row = dict[str, Any]

MAX_POINTS = 3
QUARTER_MONTHS = 3


@dataclass(frozen=True, slots=True)
class Point:
    """A strength or complaint, with its count, a quote, and a link to its reviews."""

    text: str
    link: str
    count: int
    of: int
    quote: Row | None


def strengths(members: Row) -> list[Point]:
    """Return aspects that nearly all reviews mentioning them praise, the most praised first.

    Counts are out of the customers who mention the aspect. If unrecognised complaints could change
    the verdict, they are out of all customers, and the aspect comes last.
    """
    everyone = members["review_count"]
    points = []
    for row in sorted(members["aspects"], key=itemgetter("positive_count"), reverse=True):
        count, of = row["positive_count"], row["mention_count"]
        name = praised(row["id"], row["label"])
        totals = SentimentTotals(of, count, row["neutral_count"], row["negative_count"])
        if not is_strength(totals):
            continue
        is_sure = is_strength(totals, row["unknown_count"])
        sentence = _("%(count)s of %(of)s customers who mention %(name)s praise it.")
        if not is_sure:
            of, sentence = everyone, _("%(count)s of %(of)s customers praise %(name)s.")
        text = _sentence(sentence, count, of, name=name)
        quote = next((each for each in row["quotes"] if each["label"] == "positive"), None)
        link = reverse("website:opinions", args=[row["id"], "positive"])
        points.append((not is_sure, Point(text, link, count, of, quote)))
    return [point for _is_unsure, point in sorted(points, key=itemgetter(0))][:MAX_POINTS]


def complaints(members: Row) -> list[Point]:
    """Return the most frequent complaints."""
    found = members["complaints"]
    return [
        Point(
            _sentence(
                _("%(count)s of %(of)s dissatisfied customers %(complain)s."),
                row["mention_count"],
                found["complaining_count"],
                complain=complain_of(row["id"], row["label"]),
            ),
            reverse("website:subject", args=["complaints", row["id"]]),
            row["mention_count"],
            found["complaining_count"],
            row["quote"],
        )
        for row in found["items"][:MAX_POINTS]
    ]


def _sentence(sentence: str, count: int, of: int, **words: str) -> str:
    """Fill in a sentence, spell out small numbers, and capitalise it."""
    text = sentence % {"count": spelled(count), "of": spelled(of), **words}
    return text[:1].upper() + text[1:]


def changes(temporal: Row) -> Iterator[str]:
    """Compare the last three months, then the last twelve, with those before."""
    yield from _quarters(temporal["monthly"])
    periods = temporal["periods"]
    if periods["average_rating"]["direction"] == "insufficient_data":
        yield _("There are too few reviews in the last two years to tell what has changed.")
    else:
        yield from _years(periods)


def _years(periods: Row) -> Iterator[str]:
    before, latest = periods["before"], periods["latest"]
    values = {
        "before": number_format(f"{before['average_rating']:.1f}"),
        "latest": number_format(f"{latest['average_rating']:.1f}"),
        "share_before": number_format(f"{before['unhappy_pct']:.0f}"),
        "share": number_format(f"{latest['unhappy_pct']:.0f}"),
    }
    sentences = {
        "improving": _(
            "The stars rose over the last year: %(latest)s on average, up from %(before)s "
            "the year before."
        ),
        "declining": _(
            "The stars fell over the last year: %(latest)s on average, down from "
            "%(before)s the year before."
        ),
        "stable": _(
            "The stars stayed about the same over the last year: %(latest)s on average, "
            "%(before)s the year before."
        ),
    }
    yield sentences[periods["average_rating"]["direction"]] % values
    unhappy = {
        "improving": _("Fewer customers are unhappy: %(share)s%%, down from %(share_before)s%%."),
        "declining": _("More customers are unhappy: %(share)s%%, up from %(share_before)s%%."),
    }
    if sentence := unhappy.get(periods["unhappy_pct"]["direction"]):
        yield sentence % values
    complaints = {
        "improving": _("Fewer customers %(complain)s: at least %(latest)d, down from %(before)d."),
        "declining": _("More customers %(complain)s: at least %(latest)d, up from %(before)d."),
    }
    for row in periods["complaints"]:
        if sentence := complaints.get(row["direction"]):
            yield sentence % {
                "complain": complain_of(row["id"], row["label"]),
                "latest": row["latest_count"],
                "before": row["before_count"],
            }


def _quarters(monthly: Sequence[Row]) -> Iterator[str]:
    """State both quarters without a verdict, since they have too few reviews to compare."""
    latest, before = (
        [row for row in rows if row["review_count"]]
        for rows in (monthly[-QUARTER_MONTHS:], monthly[-2 * QUARTER_MONTHS : -QUARTER_MONTHS])
    )
    if latest and before:
        yield _("Last three months: %(latest)s. The three before: %(before)s.") % {
            "latest": _count_and_mean(latest),
            "before": _count_and_mean(before),
        }


def _count_and_mean(months: Sequence[Row]) -> str:
    count = sum(row["review_count"] for row in months)
    mean = sum(row["review_count"] * row["average_rating"] for row in months) / count
    return ngettext(
        "%(count)s review with %(stars)s stars", "%(count)s reviews with %(stars)s stars", count
    ) % {"count": spelled(count), "stars": number_format(f"{mean:.1f}")}


def counts_by_label(aspect: Row) -> list[tuple[str, str, int]]:
    """Return label, name and number of reviews of each opinion, positive first."""
    return [(label, opinion(label), aspect[f"{label}_count"]) for label in LABELS]
