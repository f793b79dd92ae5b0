"""The reviews in three to five sentences."""

from itertools import chain

from insights.aggregate import LEAST_COMPARED, Aggregate, Subject
from insights.prose.quote import Quotation, Written, public_names, quotations
from insights.prose.wording import listed, months, percent, reviews, within
from insights.statistics import LABELS, percentages

LEAST_REVIEWS = 5  # Fewer need no summary.
WEAK = 0.25  # The share of negative reviews above which an aspect is weak, whatever its mean.
_TRENDS = {"improving": "an upward", "declining": "a downward"}


def summary(aggregate: Aggregate, business_name: str = "") -> Written | None:
    """Size and span, stars and sentiment, what is praised and criticised, words of a review.

    None: there are too few reviews to sum up.
    """
    if aggregate.overall.count < LEAST_REVIEWS:
        return None
    ranked = aggregate.ranked()
    spoken_of = [aspect for aspect in ranked if aspect.count >= LEAST_COMPARED]
    best = [aspect for aspect in spoken_of[:2] if _is_praised(aspect)]
    worst = spoken_of[-1] if len(spoken_of) > len(best) else None
    quotable = [aspect for aspect in ranked[:2] if aspect.totals.score > 0]
    said = _said(aggregate, best or quotable, business_name)
    points = [
        *([_praised(aggregate, best)] if best else []),
        *([_criticised(aggregate, worst)] if worst and _is_weak(worst) else []),
    ]
    # Where there is little more to say, the stars and the sentiment have a sentence each.
    stars, sentiment = _stars(aggregate), _sentiment(aggregate)
    middle = (
        [f"{stars}; of all reviews, {sentiment}."]
        if points or said
        else [f"{stars}.", f"Of all reviews, {sentiment}."]
    )
    text = " ".join([_size(aggregate, business_name), *middle, *points])
    if said is None:
        return Written(text, ())
    quoted = f" One review says: “{said.text}”"
    return Written(text + quoted, (said.review_id,), quoted)


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


def _praised(aggregate: Aggregate, best: list[Subject]) -> str:
    """The aspects with the best means; called the strongest where the intervals say so."""
    aspects = aggregate.subjects("aspects")
    chosen = {aspect.id for aspect in best}
    others = [aspect for aspect in aspects if aspect.id not in chosen]
    first = best[0]
    if all(aggregate.stands_out(aspect, others, above=True) for aspect in best):
        return _strongest(best)
    if aggregate.stands_out(first, aspects, above=True):
        return _strongest([first])
    shares = [_share(first, first.totals.positive)]
    shares += [_short_share(aspect, aspect.totals.positive) for aspect in best[1:]]
    return f"Reviewers praise {listed(shares)}."


def _strongest(best: list[Subject]) -> str:
    first, *others = best
    text = f"{within(first.label)}, where {first.totals.positive} of {reviews(first.count)}"
    text += " is positive" if first.totals.positive == 1 else " are positive"
    if not others:
        return f"The strongest point is {text}."
    [second] = others
    text += f", and {within(second.label)}, with {second.totals.positive} of {second.count}"
    return f"The strongest points are {text}."


def _criticised(aggregate: Aggregate, aspect: Subject) -> str:
    negative = aspect.totals.negative
    if not aggregate.stands_out(aspect, aggregate.subjects("aspects"), above=False):
        return f"Reviewers criticise {_share(aspect, negative)}."
    are = "is" if negative == 1 else "are"
    return (
        f"The weakest point is {within(aspect.label)}, where {negative} of"
        f" {reviews(aspect.count)} {are} negative."
    )


def _share(aspect: Subject, count: int) -> str:
    return f"{within(aspect.label)} ({count} of the {reviews(aspect.count)} that mention it)"


def _short_share(aspect: Subject, count: int) -> str:
    return f"{within(aspect.label)} ({count} of {aspect.count})"


def _is_praised(aspect: Subject) -> bool:
    return aspect.totals.score > 0 and aspect.totals.positive > aspect.totals.negative


def _is_weak(aspect: Subject) -> bool:
    return aspect.totals.score < 0 or aspect.totals.negative_share > WEAK


def _said(aggregate: Aggregate, best: list[Subject], business_name: str) -> Quotation | None:
    """Words about the best aspect that has some."""
    known = public_names(aggregate, business_name)
    about_each = (quotations(aspect, "positive", known) for aspect in best)
    return next(chain.from_iterable(about_each), None)
