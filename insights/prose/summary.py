"""A summary in at most five sentences: praise, complaints, changes, people, and the figures."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from insights.aggregate import Aggregate, Subject, by_most
from insights.complaints import Complaints
from insights.periods import periods
from insights.prose.quotations import Written, public_names, quotations
from insights.prose.wording import (
    answering_stems,
    by_label,
    complain_about,
    listed,
    months,
    percent,
    praise_of,
    praised,
    says,
    stars,
)
from insights.statistics import LABELS, percentages
from insights.verdicts import MIN_COMPARED, is_strength, unanimous

SENTENCES = 5
PRAISED, COMPLAINTS, PEOPLE = 3, 3, 2  # At most.
MANY_UNHAPPY = 0.1  # Share of unhappy reviews from which a summary always has complaints.
RECURRING = 0.02  # Share of all reviews from which a complaint is named otherwise.
MIN_SHARE = 0.05  # Share of the complaining reviews that a named complaint needs.


def summary(
    aggregate: Aggregate,
    business_name: str = "",
    complaints: Complaints | None = None,
) -> Written | None:
    """Summarise the reviews; None if there are too few."""
    if aggregate.overall.count < MIN_COMPARED:
        return None
    complaints = complaints or Complaints(aggregate)
    strong = by_most(
        [each for each in aggregate.subjects("aspects") if is_strength(each.totals)],
        "positive",
    )
    people = aggregate.praised_people()[:PEOPLE]
    parts = [
        *_praise(strong, complaints),
        *_complaints(complaints, aggregate.overall.count),
        *_changes(periods(aggregate, complaints)),
        *([praise_of(people)] if people else ()),
    ][: SENTENCES - 1]
    parts.append(_figures(aggregate, business_name))
    known = public_names(aggregate, business_name)
    said = (
        quotations(each, "positive", known, answering_stems(each.id, each.label)) for each in strong
    )
    quote = next(chain.from_iterable(said), None) if len(parts) < SENTENCES else None
    if quote is None:
        return Written(" ".join(parts), ())
    return Written(f"{' '.join(parts)} {says(quote.text)}", (quote.review_id,))


def _praise(strong: Sequence[Subject], complaints: Complaints) -> Iterator[str]:
    """Name shares if unrecognised complaints cannot overturn them, otherwise counts."""
    sure = [each for each in strong if is_strength(each.totals, complaints.unknown_about(each))]
    item = gettext("%(point)s (at least %(positive)d)")
    if sure:
        item = gettext("%(point)s (at least %(positive)d of %(count)d mentions)")
    points = [
        item
        % {
            "point": praised(each.id, each.label),
            "positive": each.totals.positive,
            "count": each.count,
        }
        for each in (sure or strong)[:PRAISED]
    ]
    if sure:
        yield gettext("Customers praise %(points)s.") % {"points": listed(points)}
    elif strong:
        yield gettext("Some praise %(points)s.") % {"points": listed(points)}


def _complaints(complaints: Complaints, count: int) -> Iterator[str]:
    """Name complaints, without a ranking that unrecognised ones could overturn.

    If many reviews are unhappy, a sentence gives their number.
    """
    unhappy = len(complaints.unhappy)
    is_bad = unhappy >= MANY_UNHAPPY * count
    threshold = MIN_SHARE * complaints.count if is_bad else max(MIN_COMPARED, RECURRING * count)
    named = [each for each in complaints.items if each.count >= threshold][:COMPLAINTS]
    leading = complaints.leading if named else None
    if leading:
        yield ngettext(
            "The most common complaint is %(complaint)s: at least %(count)d of the %(total)d review"
            " that complains.",
            "The most common complaint is %(complaint)s: at least %(count)d of the %(total)d"
            " reviews that complain.",
            complaints.count,
        ) % {
            "complaint": complain_about(leading.id, leading.label),
            "count": leading.count,
            "total": complaints.count,
        }
    rest = [
        gettext("%(complaint)s (at least %(count)d)")
        % {"complaint": complain_about(each.id, each.label), "count": each.count}
        for each in sorted(named, key=lambda each: each.label)
        if each is not leading
    ]
    if rest:
        sentence = gettext("Customers complain about %(complaints)s.")
        if leading:
            sentence = gettext("Customers also complain about %(complaints)s.")
        yield sentence % {"complaints": listed(rest)}
    if is_bad and unhappy:
        yield _unhappy(complaints, count)


def _unhappy(complaints: Complaints, count: int) -> str:
    parts = [
        ngettext(
            "%(unhappy)d of %(count)d review give one or two stars",
            "%(unhappy)d of %(count)d reviews give one or two stars",
            count,
        )
        % {"unhappy": len(complaints.unhappy), "count": count}
    ]
    if unknown := len(complaints.unrecognised):
        parts.append(
            gettext("%(count)d of them for reasons that were not recognised") % {"count": unknown}
        )
    if without := complaints.wordless_count:
        parts.append(gettext("%(count)d of them without words") % {"count": without})
    return f"{', '.join(parts)}."


def _changes(compared: Mapping[str, Any]) -> Iterator[str]:
    """Name one change between the last twelve months and the twelve before."""
    by_stars = {
        "improving": gettext(
            "The stars have risen: %(latest)s on average over the last 12 months, %(before)s over"
            " the 12 before."
        ),
        "declining": gettext(
            "The stars have fallen: %(latest)s on average over the last 12 months, %(before)s over"
            " the 12 before."
        ),
    }
    by_share = {
        "improving": gettext(
            "Fewer customers are unhappy: %(latest)s over the last 12 months, %(before)s over the"
            " 12 before."
        ),
        "declining": gettext(
            "More customers are unhappy: %(latest)s over the last 12 months, %(before)s over the"
            " 12 before."
        ),
    }
    for member, sentences, shown in (
        ("average_rating", by_stars, stars),
        ("unhappy_pct", by_share, percent),
    ):
        if sentence := sentences.get(compared[member]["direction"]):
            yield sentence % {
                period: shown(compared[period][member]) for period in ("latest", "before")
            }
            return


def _figures(aggregate: Aggregate, business_name: str) -> str:
    count, mean = aggregate.overall.count, f"{aggregate.overall.average_rating or 0:g}"
    mean_stars = ngettext("%(number)s star", "%(number)s stars", 1 if mean == "1" else 2)
    if business_name:
        sentence = ngettext(
            "%(business)s has %(count)d review %(time)s, with %(stars)s on average; %(shares)s.",
            "%(business)s has %(count)d reviews %(time)s, with %(stars)s on average; %(shares)s.",
            count,
        )
    else:
        sentence = ngettext(
            "There is %(count)d review %(time)s, with %(stars)s on average; %(shares)s.",
            "There are %(count)d reviews %(time)s, with %(stars)s on average; %(shares)s.",
            count,
        )
    earliest, latest = aggregate.span() or (dt.date.min, dt.date.max)
    return sentence % {
        "business": business_name,
        "count": count,
        "time": months(earliest, latest),
        "stars": mean_stars % {"number": number_format(mean)},
        "shares": _shares(aggregate),
    }


def _shares(aggregate: Aggregate) -> str:
    whole = {
        "positive": gettext("all are positive"),
        "neutral": gettext("all are neutral"),
        "negative": gettext("all are negative"),
    }
    if shared := unanimous(aggregate.overall):
        return whole[shared]
    beginning = {
        "positive": gettext("%(share)s are positive"),
        "neutral": gettext("%(share)s are neutral"),
        "negative": gettext("%(share)s are negative"),
    }
    following = {
        "positive": gettext("%(share)s positive"),
        "neutral": gettext("%(share)s neutral"),
        "negative": gettext("%(share)s negative"),
    }
    shares = percentages([aggregate.overall.of(label) for label in LABELS])
    values = {
        label: {"share": percent(share)}
        for label, share in zip(LABELS, shares, strict=True)
        if share
    }
    return by_label(beginning, following, values)
