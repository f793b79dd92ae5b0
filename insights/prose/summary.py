"""The reviews in at most five sentences: praise, complaints, change, people, and the basis."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from insights.aggregate import Aggregate, Subject, by_most
from insights.complaints import Complaints
from insights.periods import periods
from insights.prose.quotable import naming_stems
from insights.prose.quotations import Written, public_names, quotations
from insights.prose.wording import (
    answering_stems,
    complain_about,
    listed,
    months,
    percent,
    praise_of,
    praised,
    reviews,
    within,
)
from insights.statistics import LABELS, percentages
from insights.verdicts import LEAST_COMPARED, is_strength, unanimous

SENTENCES = 5
PRAISED, COMPLAINTS, PEOPLE = 3, 3, 2  # So many are named.
MANY_UNHAPPY = 0.1  # The share of unhappy reviews from which a summary always complains.
RECURRING = 0.02  # The share of all reviews that complain of one thing, from which it does so too.
LEAST_SHARE = 0.05  # Of the reviews that complain, that have a complaint worth its name there.
_CHANGES = {"improving": "risen", "declining": "fallen"}
_SHARES = {"improving": "Fewer", "declining": "More"}


def summary(
    aggregate: Aggregate,
    business_name: str = "",
    complaints: Complaints | None = None,
    themes: Sequence[Subject] = (),
) -> Written | None:
    """Sum up what customers praise, what they complain about, what has changed, and the basis.

    None: there are too few reviews to sum up.
    """
    if aggregate.overall.count < LEAST_COMPARED:
        return None
    complaints = complaints or Complaints(aggregate, themes)
    strong = by_most(
        [each for each in (*aggregate.subjects("aspects"), *themes) if is_strength(each.totals)],
        "positive",
    )
    people = aggregate.praised_people()[:PEOPLE]
    parts = [
        *_praise(strong, complaints),
        *_complaints(complaints, aggregate.overall.count),
        *_changes(periods(aggregate, complaints)),
        *([praise_of(people)] if people else ()),
    ][: SENTENCES - 1]
    size = reviews(aggregate.overall.count)
    size = f"{business_name} has {size}" if business_name else f"There are {size}"
    if span := aggregate.span():
        size += f" {months(*span)}"
    stars = f"{aggregate.overall.average_rating or 0:g}"
    stars += " star" if stars == "1" else " stars"
    parts.append(f"{size}, with {stars} on average; {_shares(aggregate)}.")
    known = public_names(aggregate, business_name)
    said = (quotations(each, "positive", known, _stems(each)) for each in strong)
    quote = next(chain.from_iterable(said), None) if len(parts) < SENTENCES else None
    if quote is None:
        return Written(" ".join(parts), ())
    return Written(f"{' '.join(parts)} One review says: “{quote.text}”", (quote.review_id,))


def _stems(subject: Subject) -> Mapping[str, float]:
    """Stems of which a sentence about it has one."""
    if subject.kind == "aspects":
        return answering_stems(subject.id, subject.label)
    return naming_stems(subject.label)


def _praise(strong: Sequence[Subject], complaints: Complaints) -> Iterator[str]:
    """Shares where no unrecognised complaint can overturn them, else counts of customers."""
    sure = [each for each in strong if is_strength(each.totals, complaints.unknown_about(each))]
    if sure:
        named = [
            f"{_name(each)} (at least {each.totals.positive} of {each.count} mentions)"
            for each in sure[:PRAISED]
        ]
        yield f"Customers praise {listed(named)}."
    elif strong:
        named = [f"{_name(each)} (at least {each.totals.positive})" for each in strong[:PRAISED]]
        yield f"Some praise {listed(named)}."


def _name(subject: Subject) -> str:
    """Like "the rides", "price and value"."""
    if subject.kind == "topics":
        return f"the {within(subject.label)}"
    return praised(subject.id, subject.label)


def _complaints(complaints: Complaints, count: int) -> Iterator[str]:
    """Complaints, in no order that others could overturn, and how many unhappy reviews there are.

    With a tenth of unhappy reviews there is always such a sentence.
    """
    unhappy, unknown = len(complaints.unhappy), len(complaints.unrecognised)
    is_bad = unhappy >= MANY_UNHAPPY * count
    least = LEAST_SHARE * complaints.count if is_bad else max(LEAST_COMPARED, RECURRING * count)
    named = [each for each in complaints.items if each.count >= least][:COMPLAINTS]
    leading = complaints.leading if named else None
    if leading:
        yield (
            f"The most common complaint is {complain_about(leading.id, leading.label)}: at least"
            f" {leading.count} of the {complaints.count} reviews that complain."
        )
    rest = [
        f"{complain_about(each.id, each.label)} (at least {each.count})"
        for each in sorted(named, key=lambda each: each.label)
        if each is not leading
    ]
    if rest:
        verb = "also complain" if leading else "complain"
        yield f"Customers {verb} about {listed(rest)}."
    if is_bad and unhappy:
        why = f", {unknown} of them for reasons that were not recognised" if unknown else ""
        without = complaints.wordless_count
        why += f", {without} of them without words" if without else ""
        yield f"{unhappy} of {reviews(count)} give one or two stars{why}."


def _changes(compared: Mapping[str, Any]) -> Iterator[str]:
    """Differences between the last twelve months and the twelve before."""
    before, latest = compared["before"], compared["latest"]
    if words := _CHANGES.get(compared["average_rating"]["direction"]):
        yield (
            f"The stars have {words}: {latest['average_rating']:.2f} on average over the last 12"
            f" months, {before['average_rating']:.2f} over the 12 before."
        )
    elif words := _SHARES.get(compared["unhappy_pct"]["direction"]):
        yield (
            f"{words} customers are unhappy: {percent(latest['unhappy_pct'])} over the last 12"
            f" months, {percent(before['unhappy_pct'])} over the 12 before."
        )


def _shares(aggregate: Aggregate) -> str:
    if shared := unanimous(aggregate.overall):
        return f"all are {shared}"
    counts = percentages([aggregate.overall.of(label) for label in LABELS])
    shares = zip(counts, LABELS, strict=True)
    (first, label), *others = [(percent(share), label) for share, label in shares if share]
    return listed([f"{first} are {label}", *(f"{share} {label}" for share, label in others)])
