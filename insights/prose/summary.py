"""The reviews in at most five sentences: praise, what spoils it, people, change, and the basis."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from insights.aggregate import TREND_MONTHS, Aggregate, Subject
from insights.prose.aspect_questions import TEXTS, answering_stems
from insights.prose.quotable import naming_stems, stems
from insights.prose.quotations import Quotation, Written, public_names, quotations
from insights.prose.wording import listed, months, part, percent, praise_of, reviews, within
from insights.statistics import LABELS, percentages
from insights.verdicts import stands_out, unanimous
from review_analysis.reading import Label
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

LEAST_REVIEWS = 5  # Fewer need no summary.
SENTENCES = 5
PRAISED, BLAMED, PROBLEMS, DIVIDED, PEOPLE = 3, 2, 2, 2, 2  # So many are named.
RECURRING = 0.02  # The share of all reviews that a problem has.
SPOKEN_OF = 0.2  # The share of all reviews that a subject has on which opinions differ.
CUSTOMERS = "Customers"
# First words of labels that a sentence gives an article: "the staff and front desk".
_WITH_ARTICLE = _WORDS["with_article"]
_CHANGES = {"improving": "better", "declining": "worse"}


def summary(
    aggregate: Aggregate, business_name: str = "", themes: Sequence[Subject] = ()
) -> Written | None:
    """Sum up what customers praise and blame, whom they praise, what has changed, and the basis.

    None: there are too few reviews to sum up.
    """
    if aggregate.overall.count < LEAST_REVIEWS:
        return None
    everything = [*aggregate.subjects("aspects"), *themes]
    strong = aggregate.strongest(themes)[:PRAISED]
    weak = aggregate.weakest(themes)[:BLAMED]
    praise = _points(strong, everything, above=True)
    blame = _points(weak, everything, above=False)
    if praise and praise[0].startswith(CUSTOMERS):
        blame = [text.replace(CUSTOMERS, "They", 1) for text in blame]
    people = aggregate.praised_people()[:PEOPLE]
    others = [*([praise_of(people)] if people else ()), *_change(aggregate)]
    divided = _divided(aggregate, themes)
    covered = [each.label for each in (*weak, *divided)]
    spoiling = [*blame[:1], *_problems(aggregate, covered), *_differing(divided)]
    parts = [*praise[:1], *spoiling[:1]]
    more = [*spoiling[1:], *praise[1:], *blame[1:]]
    parts += [*more[: max(SENTENCES - 1 - len(parts) - len(others), 0)], *others]
    size, stars, sentiment = _size(aggregate, business_name), _stars(aggregate), _shares(aggregate)
    if parts:
        parts.append(f"{size}, with {stars} on average; {sentiment}.")
    else:
        parts = [
            f"{size}.",
            f"Reviewers give {stars} on average.",
            f"{sentiment[0].upper()}{sentiment[1:]}.",
        ]
    said = _said(aggregate, strong, weak, business_name) if len(parts) < SENTENCES else None
    text = " ".join(parts)
    if said is None:
        return Written(text, ())
    return Written(f"{text} One review says: “{said.text}”", (said.review_id,))


def _points(points: list[Subject], everything: Sequence[Subject], *, above: bool) -> list[str]:
    """Praised or blamed points, called the strongest or weakest where the intervals say so."""
    if not points:
        return []
    chosen = {point.id for point in points}
    rest = [each.totals for each in everything if each.id not in chosen]
    if all(stands_out(point.totals, rest, above=above) for point in points):
        return [_superlative(points, above=above)]
    others = [each.totals for each in everything if each.id != points[0].id]
    if stands_out(points[0].totals, others, above=above):
        more = [_listing(points[1:], above=above, also=True)] if points[1:] else []
        return [_superlative(points[:1], above=above), *more]
    return [_listing(points, above=above)]


def _listing(points: Sequence[Subject], *, above: bool, also: bool = False) -> str:
    first, *others = points
    shares = [_share(first, above=above)]
    shares += [
        f"{_judged(each, above=above)} ({part(each.totals, _side(above=above))})" for each in others
    ]
    verb = "praise" if above else "complain about"
    return f"{CUSTOMERS} {'also ' if also else ''}{verb} {listed(shares)}."


def _superlative(points: Sequence[Subject], *, above: bool) -> str:
    first, *others = points
    side = _side(above=above)
    count = part(first.totals, side)
    text = f"{_judged(first, above=above)}, where {count} reviews are {side}"
    shares = [f"{_judged(each, above=above)}, with {part(each.totals, side)}" for each in others]
    points_are = "points are" if others else "point is"
    what = ", and ".join([text, *shares])
    return f"The {'strongest' if above else 'weakest'} {points_are} {what}."


def _side(*, above: bool) -> Label:
    return "positive" if above else "negative"


def _problems(aggregate: Aggregate, covered: Sequence[str]) -> Iterator[str]:
    """The problems of most reviews, which may have been put right, beside the points `covered`."""
    least = max(LEAST_REVIEWS, RECURRING * aggregate.overall.count)
    known = stems(*covered)
    recurring = [
        problem
        for problem in aggregate.subjects("problems")
        if problem.count >= least and known.isdisjoint(stems(problem.label))
    ]
    if recurring:
        first, *others = recurring[:PROBLEMS]
        counts = [f"{within(first.label)} ({reviews(first.count)})"]
        counts += [f"{within(other.label)} ({other.count})" for other in others]
        yield f"{'Problems that recur' if others else 'A problem that recurs'}: {listed(counts)}."


def _divided(aggregate: Aggregate, themes: Sequence[Subject]) -> list[Subject]:
    """The subjects of many reviews that many praise and many blame."""
    least = SPOKEN_OF * aggregate.overall.count
    return [each for each in aggregate.divided(themes) if each.count >= least][:DIVIDED]


def _differing(divided: Sequence[Subject]) -> Iterator[str]:
    if divided:
        first, *others = divided
        totals = first.totals
        sides = f"{totals.positive} of {reviews(first.count)} are positive and {totals.negative}"
        points = [f"{_name(first)} ({sides} negative)"]
        points += [
            f"{_name(each)} ({each.totals.positive} and {each.totals.negative} of {each.count})"
            for each in others
        ]
        yield f"Opinions differ on {listed(points)}."


def _change(aggregate: Aggregate) -> Iterator[str]:
    change = _CHANGES.get(aggregate.trend().direction)
    if change:
        yield f"Over the last {TREND_MONTHS} months the reviews have become {change}."


def _size(aggregate: Aggregate, business_name: str) -> str:
    count = reviews(aggregate.overall.count)
    span = aggregate.span()
    when = f" {months(*span)}" if span else ""
    return f"{business_name} has {count}{when}" if business_name else f"There are {count}{when}"


def _stars(aggregate: Aggregate) -> str:
    stars = f"{aggregate.overall.average_rating or 0:g}"
    return f"{stars} {'star' if stars == '1' else 'stars'}"


def _shares(aggregate: Aggregate) -> str:
    if shared := unanimous(aggregate.overall):
        return f"all are {shared}"
    shares = zip(
        percentages([aggregate.overall.of(label) for label in LABELS]), LABELS, strict=True
    )
    (first, label), *others = [(percent(share), label) for share, label in shares if share]
    return listed([f"{first} are {label}", *(f"{share} {label}" for share, label in others)])


def _share(subject: Subject, *, above: bool) -> str:
    """Like "the quiet (20 of the 24 reviews that mention quiet and noise)"."""
    is_plural = " and " in subject.label or re.search("[^sui]s$", subject.label)
    mentioned = "them" if is_plural else "it"
    name = _judged(subject, above=above)
    if name != _name(subject):
        mentioned = within(subject.label)
    count = part(subject.totals, _side(above=above)).replace("of ", "of the ")
    return f"{name} ({count} reviews that mention {mentioned})"


def _judged(subject: Subject, *, above: bool) -> str:
    """Name of what is praised (`above`) or blamed."""
    named = TEXTS["judged"].get(subject.label)
    return named[0 if above else 1] if named else _name(subject)


def _name(subject: Subject) -> str:
    """Like "the rides", "the staff and front desk", "price and value"."""
    label = within(subject.label)
    has_article = subject.kind == "topics" or label.split()[0] in _WITH_ARTICLE
    return f"the {label}" if has_article else label


def _said(
    aggregate: Aggregate, strong: Sequence[Subject], weak: Sequence[Subject], business_name: str
) -> Quotation | None:
    """Words about the first of the praised that has some, and about nothing that is blamed."""
    known = public_names(aggregate, business_name)
    blamed = {each.id for each in weak}
    praised = strong or [
        aspect
        for aspect in aggregate.subjects("aspects")
        if aspect.count >= LEAST_REVIEWS and aspect.is_strong
    ]
    about_each = (
        quotations(
            subject,
            "positive",
            known,
            answering_stems(subject.id, subject.label)
            if subject.kind == "aspects"
            else naming_stems(subject.label),
        )
        for subject in praised
    )
    for quotation in chain.from_iterable(about_each):
        record = aggregate.records[quotation.review_id]
        judged = {
            each.id
            for each in record.aspects
            if each.quote and record.words(each.quote) == quotation.text
        }
        if not blamed & judged:
            return quotation
    return None
