"""Ratings in the spellings and scales of all sites."""

import calendar
import datetime as dt
import math
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from review_exports.values import ValueRefused, value_refused
from review_exports.values.characters import half_width, without_invisible
from review_exports.values.dates import month_and_day
from review_exports.vocabulary import load

_VOCABULARY = {
    key: "|".join(words) for key, words in load("vocabulary/values.toml")["ratings"].items()
}
_NUMBER = r"[+-]?[0-9]{1,9}(?:[.,][0-9]{1,9})?"
_STAR_WORDS = rf"\s*(?:{_VOCABULARY['stars']})?"
# "4", "rated 4 stars", "4 out of 5", "80 %".
_NUMBERED = re.compile(
    rf"(?:(?:{_VOCABULARY['rated']})\s+|(?:[★⭐]\ufe0f?|星|별점?)\s*)?(?P<number>{_NUMBER})"
    rf"(?:\s*(?P<percent>%)|[\s-]*{_STAR_WORDS}(?:\s*\(?\s*(?:{_VOCABULARY['of']})\s*"
    rf"(?P<scale>{_NUMBER}){_STAR_WORDS}\s*\)?)?(?:\s*ratings?)?)"
)
# Languages that name the scale first, as in "5つ星のうち4.0" and "5점 만점에 4점".
_SCALE_FIRST = re.compile(
    rf"(?:별\s*)?(?P<scale>{_NUMBER}){_STAR_WORDS}\s*(?:{_VOCABULARY['scale_first']})[\s,、]*"
    rf"(?P<number>{_NUMBER}){_STAR_WORDS}"
)
# An answer of a survey: "5 - Excellent", "4 (Good)", "Excellent (5)", "4/5: Good".
_LABEL = r"(?P<label>[^\W\d_][^\d]{0,79}?)"
# Labels that may follow a number directly; "5 May" must not match.
_LABEL_WORDS = _VOCABULARY["labels"]
_LABELLED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<stars>.{{1,40}}?)\s*(?:[-\u2013\u2014:=|]\s*|[.)]\s+){_LABEL}",
        rf"(?P<stars>.{{1,40}}?)\s*[(\[]\s*{_LABEL}\s*[)\]]",
        rf"{_LABEL}\s*[-\u2013\u2014:=|]\s*(?P<stars>.{{1,40}})",
        rf"{_LABEL}\s*[(\[]\s*(?P<stars>.{{1,40}}?)\s*[)\]]",
        rf"(?P<stars>{_NUMBER})\s+(?=(?:{_LABEL_WORDS})\b){_LABEL}",
    )
)
# Labels of the best and the worst rating. On some scales, such as school marks, 1 is the best.
_BEST_LABELS = re.compile(_VOCABULARY["best"])
_WORST_LABELS = re.compile(_VOCABULARY["worst"])
_FULL_STARS = "★⭐🌟✭✮✯✦*●⬤◉🟊"
_DRAWN = re.compile(rf"[{re.escape(_FULL_STARS)}☆✩✰✧○◯⚪◌\ufe0e\ufe0f]+")
_IN_WORDS = load("vocabulary/values.toml")["ratings_in_words"]
# Words for recommendations, which some sites use instead of stars.
RECOMMENDATIONS = {
    word: kind == "recommended"
    for kind in ("recommended", "not_recommended")
    for word in _IN_WORDS[kind].split(", ")
}
_WORDS: dict[str, int] = {
    word + stars: n
    for n, word in enumerate(_IN_WORDS["numbers"].split(), start=1)
    for stars in ("", " star", " stars", "_star", "_stars")
} | {word: 5 if is_positive else 1 for word, is_positive in RECOMMENDATIONS.items()}
# A scale in a heading: "Rating (1-10)", "out of 5", "Note sur 20", "Sterne von 5", "Score /100".
_HEADING_SCALE = re.compile(
    # Not starting within blanks, and without adjacent runs of blanks, to avoid cubic time.
    r"(?<!\s)\s*(?:[(\[]\s*)?"
    r"(?:\b(?:(?:from|of|de|von|da|van)\s+)?[01]\s*(?:-|\u2013|to|bis|à|a|tot)\s*|/\s*"
    r"|\b(?:out of|von|sur|sobre|su|van)\s+)(?P<best>5|10|20|100)\b[^)\]]*[)\]]?",
    re.IGNORECASE,
)
_BESTS = {"nps": 10}  # A Net Promoter Score counts from 0 to 10.


def read_rating(
    value: Any, *, best: Any = None, worst: int = 1, round_half_up: bool = False
) -> int:
    """Read a rating as 1 to 5 whole stars, in any spelling and scale.

    Percentages and scales other than five are converted to five stars and rounded half up (9/10 is
    5 stars). A fraction on the five-star scale is refused unless `round_half_up`. If `worst` is
    above `best`, the scale is reversed. Raises `ValueRefused`.
    """
    if isinstance(best, int) and worst > best:
        value, best = _turned_around(value, worst, best), worst
    if type(value) is int:
        if not isinstance(best, str | int | float) or isinstance(best, bool) or best in {5, "5"}:
            return _in_range(value, value)
        value = str(value) if abs(value) < 10**9 else "x"
    stars, is_fraction = _stars(value, best)
    if is_fraction and 0 < stars < 1:
        return _in_range(0, value)  # A percentage as a workbook stores it.
    if is_fraction and stars != stars.to_integral_value() and stars < 5 and not round_half_up:
        raise value_refused("rating_not_whole", "rating", value)
    return _in_range(int(stars.to_integral_value(ROUND_HALF_UP)), value)


def _turned_around(value: Any, worst: int, best: int) -> Any:
    """Convert a number on a reversed scale."""
    number = plain_number(value)
    if number is None or not best <= number <= worst:
        raise _rating_unreadable(value)
    return str(worst + best - number)


def plain_number(value: Any) -> Decimal | None:
    """The number of a value that is bare or labelled; None if it names a scale."""
    text = _folded(str(value)) if type(value) in {int, float, str} else ""
    labelled = (found["stars"] for found in _labelled(text))
    numbers = (one for one in (text, *labelled) if re.fullmatch(_NUMBER, one))
    number = next(numbers, None)
    return None if number is None else _decimal(number)


def named_scale(heading: str) -> tuple[str, int | None]:
    """Split a heading into its text without a scale, and the best rating or None."""
    if found := _HEADING_SCALE.search(heading[:200]):
        return heading[: found.start()] + heading[found.end() :], int(found["best"])
    return heading, None


def _in_range(stars: int, value: object) -> int:
    if 1 <= stars <= 5:
        return stars
    key = "rating_out_of_range-scale" if 5 < stars <= 100 else "rating_out_of_range"
    raise value_refused(key, "rating", value)


def _stars(value: Any, best: Any) -> tuple[Decimal, bool]:
    """The stars on the scale of five, and whether the file uses that scale."""
    if isinstance(value, dt.date):
        raise _turned_into_date(value.year, value.month, value.day)
    if isinstance(value, float) and math.isfinite(value) and abs(value) < 1e9:
        value = f"{value:.9f}".rstrip("0").rstrip(".")
    if not isinstance(value, str) or len(value) > 100:
        raise _rating_unreadable(value)
    text = _folded(value)
    if stars := _spelt(text, best, value):
        return stars
    if date := month_and_day(text):
        raise _turned_into_date(None, *date)
    for found in _labelled(text):
        if stars := _spelt(found["stars"], best, value):
            if _agrees(stars[0], found["label"]) is False:  # Such as "1 - Excellent".
                raise value_refused("rating_unreadable-label", "rating", value)
            return stars
    raise _rating_unreadable(value)


def _folded(value: str) -> str:
    text = half_width(without_invisible(value[:200])).casefold()
    return " ".join(text.replace("\u2019", "'").split()).rstrip("!.")


def _labelled(text: str) -> Iterator[re.Match[str]]:
    """Yield the ways to split a text into stars and a label."""
    if len(text) > 1 and not month_and_day(text):
        yield from filter(None, (pattern.fullmatch(text) for pattern in _LABELLED))


def _spelt(text: str, best: Any, value: object) -> tuple[Decimal, bool] | None:
    if (word := _WORDS.get(text)) is not None:
        return Decimal(word), True
    rest = _DRAWN.sub("", text).strip("() ")
    if not rest and _DRAWN.search(text):
        return Decimal(sum(text.count(star) for star in _FULL_STARS)), True
    if found := _NUMBERED.fullmatch(text):
        number, is_percent, scale = found.groups()
        of = "100" if is_percent else scale
    elif found := _SCALE_FIRST.fullmatch(text):
        of, number = found.groups()
    else:
        # Both drawn and written stars, like "★★★★☆ 4.0".
        drawn = "".join(_DRAWN.findall(text))
        is_both = len(drawn) > 1 and rest and not _DRAWN.search(rest)
        stars = _spelt(drawn, best, value) if is_both else None
        return stars if stars and stars == _spelt(rest, best, value) else None
    return _scaled(_decimal(number), _decimal(of) if of else _best(best), value)


def label_agrees(value: Any) -> bool | None:
    """Whether a labelled number fits its label: False for "1 - Excellent", None if unknown."""
    text = _folded(value) if isinstance(value, str) else ""
    for found in _labelled(text):
        if (number := plain_number(found["stars"])) is not None:
            return _agrees(number, found["label"])
    return None


def _agrees(stars: Decimal, label: str) -> bool | None:
    is_best, is_worst = _BEST_LABELS.match(label), _WORST_LABELS.match(label)
    if not (is_best or is_worst) or 2 < stars < 4:
        return None
    return bool(is_best) is (stars >= 4)


def _best(best: Any) -> Decimal:
    """The number of a best rating, or the last one of a span like 1-10; five by default."""
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
    # The lowest values of a scale, such as zero, become one star.
    return max(number * 5 / scale, Decimal(1)) if number >= 0 else number, False


def _turned_into_date(year: int | None, month: int, day: int) -> ValueRefused:
    """Build the refusal of stars that a spreadsheet converted to a date: 4/5 became 5 April."""
    shown_day = f"{day} {calendar.month_name[month]}"
    pairs = ((month, day), (day, month))
    typed = (f"{stars}/{best}" for best in (5, 10) for stars, of in pairs if of == best >= stars)
    became = f"the date {shown_day} stands where the stars should be"
    if (year, month) == (1900, 1):
        became = f"a cell in the format of a date shows {day} as {shown_day} 1900"
    elif stars := next(typed, None):
        became = f"Excel turned {stars} into the date {shown_day}"
    value = f"{shown_day} {year or ''}".strip()
    return value_refused("rating_unreadable-date", "rating", value, became=became)


def _rating_unreadable(value: object) -> ValueRefused:
    return value_refused("rating_unreadable", "rating", value)
