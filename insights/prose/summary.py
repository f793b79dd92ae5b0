"""The reviews in at most five sentences: praise, complaints, change, people, and the basis."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from insights.aggregate import Aggregate, Subject
from insights.complaints import Complaints
from insights.periods import periods
from insights.prose.aspect_questions import answering_stems
from insights.prose.complaining import complaint_sentences
from insights.prose.quotable import naming_stems
from insights.prose.quotations import Quotation, Written, public_names, quotations
from insights.prose.wording import TEXTS, listed, months, part, percent, praise_of, reviews, within
from insights.statistics import LABELS, percentages
from insights.verdicts import unanimous
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

LEAST_REVIEWS = 5  # Fewer need no summary.
SENTENCES = 5
PRAISED, PEOPLE = 3, 2  # So many are named.
_CHANGES = {"improving": "risen", "declining": "fallen"}
_SHARES = {"improving": "Fewer", "declining": "More"}
# First words of labels that a sentence gives an article: "the staff and front desk".
_WITH_ARTICLE = _WORDS["with_article"]


def summary(
    aggregate: Aggregate,
    business_name: str = "",
    complaints: Complaints | None = None,
    themes: Sequence[Subject] = (),
) -> Written | None:
    """Sum up what customers praise, what they complain about, what has changed, and the basis.

    None: there are too few reviews to sum up.
    """
    if aggregate.overall.count < LEAST_REVIEWS:
        return None
    complaints = complaints or Complaints(aggregate, themes)
    strong = aggregate.strongest(themes)[:PRAISED]
    people = aggregate.praised_people()[:PEOPLE]
    parts = [
        *_praise(strong),
        *complaint_sentences(complaints, aggregate.overall.count),
        *_changes(periods(aggregate, complaints)),
        *([praise_of(people)] if people else ()),
    ][: SENTENCES - 1]
    size, stars, sentiment = _size(aggregate, business_name), _stars(aggregate), _shares(aggregate)
    if parts:
        parts.append(f"{size}, with {stars} on average; {sentiment}.")
    else:
        parts = [
            f"{size}.",
            f"Reviewers give {stars} on average.",
            f"{sentiment[0].upper()}{sentiment[1:]}.",
        ]
    said = _said(aggregate, strong, business_name) if len(parts) < SENTENCES else None
    text = " ".join(parts)
    if said is None:
        return Written(text, ())
    return Written(f"{text} One review says: “{said.text}”", (said.review_id,))


def _praise(strong: Sequence[Subject]) -> Iterator[str]:
    if strong:
        first, *others = strong
        shares = [_share(first)]
        shares += [f"{_judged(each)} ({part(each.totals, 'positive')})" for each in others]
        yield f"Customers praise {listed(shares)}."


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


def _share(subject: Subject) -> str:
    """Like "the quiet (20 of the 24 reviews that mention quiet and noise)"."""
    is_plural = " and " in subject.label or re.search("[^sui]s$", subject.label)
    mentioned = "them" if is_plural else "it"
    name = _judged(subject)
    if name != _name(subject):
        mentioned = within(subject.label)
    count = part(subject.totals, "positive").replace("of ", "of the ")
    return f"{name} ({count} reviews that mention {mentioned})"


def _judged(subject: Subject) -> str:
    """Name of what is praised."""
    return TEXTS["judged"].get(subject.label) or _name(subject)


def _name(subject: Subject) -> str:
    """Like "the rides", "the staff and front desk", "price and value"."""
    label = within(subject.label)
    has_article = subject.kind == "topics" or label.split()[0] in _WITH_ARTICLE
    return f"the {label}" if has_article else label


def _said(aggregate: Aggregate, strong: Sequence[Subject], business_name: str) -> Quotation | None:
    """Words about the first of the praised that has some."""
    known = public_names(aggregate, business_name)
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
    return next(chain.from_iterable(about_each), None)
