"""The reviews in three to five sentences."""

from itertools import chain

from insights.aggregate import Aggregate, Subject
from insights.prose.quote import Quotation, Written, quotations, told_names
from insights.prose.wording import listed, months, percent, reviews, within
from insights.statistics import LABELS, percentages

LEAST_REVIEWS = 5  # Fewer need no summary.
WEAK = 0.25  # The share of negative reviews above which an aspect is weak, whatever its mean.
_TRENDS = {"improving": "an upward", "declining": "a downward"}


def summary(aggregate: Aggregate, business_name: str = "") -> Written | None:
    """Size and span, stars and sentiment, what is best, what is worst, words of a review.

    None: there are too few reviews to sum up.
    """
    if aggregate.overall.count < LEAST_REVIEWS:
        return None
    ranked = aggregate.ranked()
    best = [aspect for aspect in ranked[:2] if aspect.tally.score > 0]
    weakest = ranked[-1] if len(ranked) > len(best) else None
    said = _said(aggregate, best, business_name)
    points = [
        *([_strongest(best)] if best else []),
        *([_weakest(weakest)] if weakest and _is_weak(weakest) else []),
    ]
    # Where there is little more to say, the stars and the sentiment have a sentence each.
    stars, sentiment = _stars(aggregate), _sentiment(aggregate)
    middle = (
        [f"{stars}; of all reviews, {sentiment}."]
        if points or said
        else [f"{stars}.", f"Of all reviews, {sentiment}."]
    )
    told = " ".join([_size(aggregate, business_name), *middle, *points])
    if said is None:
        return Written(told, ())
    quoted = f" One review says: “{said.text}”"
    return Written(told + quoted, (said.review_id,), quoted)


def _size(aggregate: Aggregate, business_name: str) -> str:
    count = reviews(aggregate.overall.count)
    span = aggregate.span()
    when = f" {months(*span)}" if span else ""
    return f"{business_name} has {count}{when}." if business_name else f"There are {count}{when}."


def _stars(aggregate: Aggregate) -> str:
    stars = f"{aggregate.overall.average_rating or 0:g}"
    return f"Reviewers give {stars} {'star' if stars == '1' else 'stars'} on average"


def _sentiment(aggregate: Aggregate) -> str:
    shares = zip(
        percentages([aggregate.overall.of(label) for label in LABELS]), LABELS, strict=True
    )
    (first, label), *others = [(percent(share), label) for share, label in shares if share]
    text = listed([f"{first} are {label}", *(f"{share} {label}" for share, label in others)])
    trend = _TRENDS.get(aggregate.trend().direction)
    return f"{text}, with {trend} trend" if trend else text


def _strongest(best: list[Subject]) -> str:
    first, *others = best
    text = f"{within(first.label)}, where {first.tally.positive} of {reviews(first.count)}"
    text += " is positive" if first.tally.positive == 1 else " are positive"
    if not others:
        return f"The strongest point is {text}."
    [second] = others
    text += f", and {within(second.label)}, with {second.tally.positive} of {second.count}"
    return f"The strongest points are {text}."


def _weakest(aspect: Subject) -> str:
    negative = aspect.tally.negative
    are = "is" if negative == 1 else "are"
    return (
        f"The weakest point is {within(aspect.label)}, where {negative} of"
        f" {reviews(aspect.count)} {are} negative."
    )


def _is_weak(aspect: Subject) -> bool:
    return aspect.tally.score < 0 or aspect.tally.negative_share > WEAK


def _said(aggregate: Aggregate, best: list[Subject], business_name: str) -> Quotation | None:
    """Words about the best aspect that has some."""
    known = told_names(aggregate, business_name)
    about_each = (quotations(aspect, "positive", known) for aspect in best)
    return next(chain.from_iterable(about_each), None)
