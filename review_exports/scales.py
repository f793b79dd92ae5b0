"""Rating scale of a file, from its values, its format or a person's answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from review_exports.shapes import Question, question
from review_exports.values import ValueRefused, shown
from review_exports.values.people import is_contact, is_phone
from review_exports.values.ratings import label_agrees, plain_number, read_rating

FIVE = (1, 5)
_BESTS = (10, 20, 50, 100)
# Shares of the ratings from which a person is asked for the scale.
_ABOVE_SHARE, _END_SHARE, _UNREADABLE_SHARE = 0.5, 0.1, 0.5
_SAMPLES = 3


@dataclass(frozen=True, slots=True)
class Scale:
    """The worst and the best rating of a file; `question` asks for unknown ones."""

    worst: int
    best: int
    question: Question | None = None


def scale_of(
    ratings: Mapping[Any, int],
    *,
    answer: tuple[int | None, int | None],
    confirmed: tuple[int | None, int | None],
    named: int | None,
    is_known: bool,
) -> Scale:
    """Determine the scale of ratings, which are given with their numbers of rows.

    `answer` and `confirmed` are the worst and best ratings that a person named for this file and
    for earlier files of its shape, `named` is the best that the format or the heading names.
    `is_known`: each row names its own scale.
    """
    worst, best = answer
    if best is not None:
        return Scale(1 if worst is None else worst, best)
    plain = {value: number for value in ratings if (number := plain_number(value)) is not None}
    worst, best = confirmed
    if best is not None:
        worst = 1 if worst is None else worst
        above = _above(ratings, plain, max(worst, best))
        choices = tuple(map(str, (5, *_BESTS)))
        question = _question("scale-other", above, choices, worst=worst, best=best)
        return Scale(worst, best, question if above else None)
    if named or is_known:
        return Scale(1, named or 5)
    return Scale(*FIVE, _unclear_scale(ratings, plain))


def _unclear_scale(ratings: Mapping[Any, int], plain: Mapping[Any, Decimal]) -> Question | None:
    """Build a question about the scale; None if it is one to five."""
    if above := _above(ratings, plain, FIVE[1]):
        highest = max(plain[value] for value in above)
        choices = tuple(str(best) for best in (5, *_BESTS) if best >= highest or best == 5)
        return _question("scale", above, choices)
    agreement = [one for value in ratings if (one := label_agrees(value)) is not None]
    if agreement.count(False) > agreement.count(True):
        first = next(value for value in ratings if label_agrees(value) is False)
        return _question("scale-reversed", [first], ("1",))
    return None


def _above(ratings: Mapping[Any, int], plain: Mapping[Any, Decimal], end: int) -> list[Any]:
    """Ratings above the end of a scale; empty if they are few enough to be slips."""
    above = [value for value, number in plain.items() if end < number <= _BESTS[-1]]
    share = sum(ratings[value] for value in above) / max(sum(ratings[one] for one in plain), 1)
    has_end = any(plain[value] in _BESTS for value in above)
    # A single distinct rating may be a mistake; several show the scale.
    is_scale = (has_end and share >= _END_SHARE) or (len(plain) > 1 and share >= _ABOVE_SHARE)
    return above if is_scale else []


def _question(key: str, values: list[Any], choices: tuple[str, ...], **ends: int) -> Question:
    samples = ", ".join(map(shown, values[:_SAMPLES]))
    return question(key, "scale", "best_rating", choices=choices, values=samples, **ends)


def stars_in_words(
    ratings: Mapping[Any, int], stars: Mapping[str, int], best: int
) -> Question | None:
    """Build a question about words like "Good", if most ratings are words."""
    words = {}
    for value, count in ratings.items():
        if not isinstance(value, str) or value in stars or is_phone(value) or is_contact(value):
            continue
        try:
            read_rating(value, best=max(best, 5), round_half_up=True)
        except ValueRefused as refusal:
            if refusal.code == "rating_unreadable":
                words[shown(value)] = count
    if sum(words.values()) < _UNREADABLE_SHARE * max(sum(ratings.values()), 1) or not words:
        return None
    choices = ("1", "2", "3", "4", "5")
    return question("stars", "stars", "stars", names=words, choices=choices, words=", ".join(words))
