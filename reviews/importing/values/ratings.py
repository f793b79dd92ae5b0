"""Pure: stars in the spellings and scales of all sites."""

import math
import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from reviews.importing.values.refusals import ValueRefused
from reviews.importing.values.unseen import without_unseen

_RATED = r"(?:rated|(?:average |overall )?rating:?)\s+"
_NUMBER = r"[+-]?[0-9]{1,9}(?:[.,][0-9]{1,9})?"
_SCALE = re.compile(rf"({_NUMBER})\s*(?:/|out of|of|von|sur|de|di|van)\s*({_NUMBER})")
_PERCENT = re.compile(rf"({_NUMBER})\s*%")
_STARS = re.compile(
    rf"(?:{_RATED}|[★⭐]\ufe0f?\s*)?({_NUMBER})[\s-]*"
    r"(?:stars?|star\(s\)|sterne?n?|étoiles?|estrellas?|stell[ae]|ster(?:ren)?|[★⭐]\ufe0f?|\*)?(?:\s*ratings?)?"
)
_SCALE_STARS = re.compile(
    rf"^{_RATED}|\s*(?:star|stars|bubbles?|sterne?n?|étoiles?|estrellas?)(?:\s*rating)?$"
)
_FULL_STARS = "★⭐🌟✭✮✯*"
_DRAWN_STARS = re.compile(rf"[{re.escape(_FULL_STARS)}½☆✩✰\ufe0e\ufe0f\s]+")
# What some sites ask for in place of stars.
RECOMMENDATIONS = {
    **dict.fromkeys(("recommended", "recommend", "recommends", "positive"), True),
    **dict.fromkeys(("not recommended", "not_recommended", "negative"), False),
    **dict.fromkeys(("doesn't recommend", "does not recommend"), False),
}
_WORDS: dict[str, int] = {
    **{
        word + stars: n
        for n, word in enumerate(("one", "two", "three", "four", "five"), start=1)
        for stars in ("", " star", " stars", "_star", "_stars")
    },
    **{word: 5 if is_positive else 1 for word, is_positive in RECOMMENDATIONS.items()},
}
# A scale in a heading: "Rating (1-10)", "out of 5", "Note sur 20", "Sterne von 5", "Score /100".
_HEADING_SCALE = re.compile(
    r"\s*[(\[]?\s*(?:\b(?:(?:from|of|de|von|da|van)\s+)?[01]\s*(?:-|\u2013|to|bis|à|a|tot)\s*|/\s*"
    r"|\b(?:out of|von|sur|sobre|su|van)\s+)(?P<best>5|10|20|100)\b[^)\]]*[)\]]?",
    re.IGNORECASE,
)
_BESTS = {"nps": 10}  # A Net Promoter Score counts from 0 to 10.
RATING_REMEDY = "Correct the value to 1, 2, 3, 4 or 5, or leave the review out."


def read_rating(value: Any, *, best: Any = None, round_half_up: bool = False) -> int:
    """Whole stars from 1 to 5, whatever the spelling or the scale of the file.

    Percent and scales other than five are brought to five, half up (9/10 is 5 stars). A fraction
    on the five-star scale is refused unless `round_half_up`.
    """
    if type(value) is int:
        if not isinstance(best, str | int | float) or isinstance(best, bool) or best in {5, "5"}:
            return _in_range(value, value)
        value = str(value) if abs(value) < 10**9 else "x"
    stars, is_fraction = _stars(value, best)
    if is_fraction and stars != stars.to_integral_value() and stars < 5 and not round_half_up:
        raise ValueRefused(
            "rating",
            "rating_not_whole",
            "rating: the stars are not whole. Correct the value to 1, 2, 3, 4 or 5, or import with "
            "the option to round half up.",
            value,
        )
    return _in_range(int(stars.to_integral_value(ROUND_HALF_UP)), value)


def plain_number(value: Any) -> Decimal | None:
    """The number, where a value is nothing but one and so names no scale."""
    text = str(value) if type(value) in {int, float, str} else ""
    return _decimal(text.strip()) if re.fullmatch(_NUMBER, text.strip()) else None


def named_scale(heading: str) -> tuple[str, int | None]:
    """A heading without the scale that it names, and the best rating of that; None: it has none."""
    if found := _HEADING_SCALE.search(heading[:200]):
        return heading[: found.start()] + heading[found.end() :], int(found["best"])
    return heading, None


def _in_range(stars: int, value: object) -> int:
    if 1 <= stars <= 5:
        return stars
    raise ValueRefused(
        "rating",
        "rating_out_of_range",
        f"rating: the stars must be from 1 to 5. {RATING_REMEDY}",
        value,
    )


def _stars(value: Any, best: Any) -> tuple[Decimal, bool]:
    """The stars on the scale of five, and whether they were counted on that scale in the file."""
    if isinstance(value, float) and math.isfinite(value) and abs(value) < 1e9:
        value = f"{value:.9f}".rstrip("0").rstrip(".")
    if not isinstance(value, str) or len(value) > 100:
        raise _rating_unreadable(value)
    text = without_unseen(value).strip().casefold()
    if (word := _WORDS.get(text.replace("\u2019", "'"))) is not None:
        return Decimal(word), True
    if text and _DRAWN_STARS.fullmatch(text):
        halves = 2 * sum(text.count(star) for star in _FULL_STARS) + text.count("½")
        return Decimal(halves) / 2, True
    if found := _PERCENT.fullmatch(text):
        return _scaled(_decimal(found[1]), Decimal(100), value)
    if found := _SCALE.fullmatch(_SCALE_STARS.sub("", text)):
        return _scaled(_decimal(found[1]), _decimal(found[2]), value)
    if found := _STARS.fullmatch(text):
        return _scaled(_decimal(found[1]), _best(best), value)
    raise _rating_unreadable(value)


def _best(best: Any) -> Decimal:
    """The number that is given, the last one of a span like 1-10; five where there is none."""
    text = str(best) if isinstance(best, str | int | float) and not isinstance(best, bool) else ""
    text = text.strip().casefold()
    if text in _BESTS:
        return Decimal(_BESTS[text])
    numbers = re.findall(r"[0-9]{1,9}(?:[.,][0-9]{1,9})?", text[:100])
    return _decimal(numbers[-1]) if numbers else Decimal(5)


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", "."))


def _scaled(number: Decimal, scale: Decimal, value: object) -> tuple[Decimal, bool]:
    if scale == 5:
        return number, True
    if scale <= 0:
        raise _rating_unreadable(value)
    return number * 5 / scale, False


def _rating_unreadable(value: object) -> ValueRefused:
    return ValueRefused(
        "rating", "rating_unreadable", f"rating: no stars can be read here. {RATING_REMEDY}", value
    )
