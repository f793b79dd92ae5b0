"""Numbers of a workbook as shown by their format (ECMA-376 part 1, 18.8.31)."""

import re
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

_TOKENS = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|(?:_|\*).|\[[^\]]*\]|(?P<fraction>[#0?]*\s?[#0?]+/[#0?1-9]+)'
    r"|(?P<digits>[#0?][#0?,]*(?:\.[#0?]*)?|\.[#0?]+)|(?P<general>General)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN = frozenset(" $-+/():!^&'~{}<>=,€£¥%")
_LARGEST = 10**15  # A spreadsheet keeps fifteen digits.


class _Shown(NamedTuple):
    """A number format: decimals (None: all), least digits, texts around them."""

    decimals: int | None
    width: int
    is_fraction: bool
    before: str
    behind: str


def shown_number(value: float, code: str) -> int | float | str:
    """The number as its format shows it: rounded, or a text like "4 of 5".

    A format that is not understood leaves the number alone.
    """
    if code == "General" or abs(value) >= _LARGEST or value != value:  # noqa: PLR0124  (NaN)
        return value
    if (format_ := _read(code)) is None:
        return value
    if format_.is_fraction:
        return _fraction(value)
    number = Decimal(repr(value))
    if "%" in format_.before + format_.behind:
        number *= 100
    if format_.decimals is not None:
        number = number.quantize(Decimal(1).scaleb(-format_.decimals), ROUND_HALF_UP)
    is_padded = len(str(abs(int(number)))) < format_.width
    if not (format_.before.strip() or format_.behind.strip() or is_padded):
        return int(number) if number == number.to_integral_value() else float(number)
    digits = f"{abs(number):f}"
    whole, point, rest = digits.partition(".")
    rest = rest if format_.decimals is not None else rest.rstrip("0")
    sign = "-" if number < 0 else ""
    digits = whole.zfill(format_.width) + (f".{rest}" if point and rest else "")
    return f"{format_.before}{sign}{digits}{format_.behind}".strip()


def _fraction(value: float) -> float | str:
    if value <= 0 or value > 1:
        return value
    fraction = Fraction(value).limit_denominator(99)
    # Five of five and one star look alike.
    return "1 as a fraction" if fraction == 1 else f"{fraction.numerator}/{fraction.denominator}"


@lru_cache(maxsize=256)
def _read(code: str) -> _Shown | None:
    """The format of positive numbers; None for dates, exponents and the like."""
    around = ["", ""]
    decimals, width, seen, is_fraction = None, 0, False, False
    for token in _TOKENS.finditer(code):
        kind, text = token.lastgroup, token[0]
        if text == ";":
            break
        if kind in {"digits", "general", "fraction"}:
            if seen:
                return None
            seen, is_fraction = True, kind == "fraction"
            if kind == "digits":
                whole, _, part = text.partition(".")
                if whole.endswith(","):
                    return None  # In thousands.
                decimals, width = len(part), whole.count("0")
        elif kind == "other" and text not in _PLAIN:
            return None
        elif kind is not None:
            around[seen] += token["quoted"] or token["escaped"] or (text if kind == "other" else "")
    if not seen:
        return None
    return _Shown(decimals, width, is_fraction, around[0], around[1])
