"""Estimate the heights of widgets, in em, from their content.

A page reserves this height, so that its layout does not shift when the reviews load. Lists and
walls show as many cards as fit, and the rest on request. The numbers follow from
`assets/embed.css`, for a narrow width, that of a phone, and a wide one.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from embed.options import BADGE, BAR, CAROUSEL, FLOATING, LIST, QUOTE, WALL, Options

PIXELS = 16  # Per em, at the default font size.
NARROW, WIDE = 320, 1000  # Pixels of the window.
# Characters per line of cards on a phone, in a wall, in a list and in a quote.
PHONE, CARD, COLUMN, QUOTATION = 26, 32, 75, 60
GAP, CARD_GAP, LINE, SMALL_LINE, QUOTE_LINE = 1.0, 0.5, 1.5, 1.35, 2.0
BADGES = {"small": 2.6, "medium": 4.0, "large": 9.5}  # With one line of the publisher's name.


@dataclass(frozen=True, slots=True)
class Height:
    """Heights at both widths, in em."""

    narrow: float
    wide: float

    @property
    def css(self) -> str:
        """Height at any window width, interpolated between both widths."""
        if self.narrow <= self.wide:
            return f"{self.wide:g}em"
        share = round((self.narrow - self.wide) * PIXELS / (WIDE - NARROW), 3)
        line = f"calc({self.narrow:g}em + {share * NARROW:g}px - {share * 100:g}vw)"
        return f"clamp({self.wide:g}em, {line}, {self.narrow:g}em)"

    @property
    def pixels(self) -> int:
        """Height of a frame of unknown width."""
        return round(self.narrow * PIXELS)


def estimate_height(content: Mapping[str, Any], options: Options) -> Height:
    """Estimate the height that a page reserves for a widget."""
    if options.layout == FLOATING:
        return Height(0, 0)
    if options.layout in {BADGE, BAR}:
        return _without_reviews(content, options)
    lines = (content["publisher"], content["all"]["text"], content["note"])
    narrow, wide = (4.0 + _small(lines, characters) + 2 * GAP for characters in (30, 90))
    if options.background == "card":
        narrow, wide = narrow + 2.5, wide + 2.5
    tallest = max(_cards(content, PHONE), default=0)
    if options.layout == CAROUSEL:
        cards = Height(tallest + 1, max(_cards(content, CARD), default=0) + 1)
    elif options.layout == QUOTE:
        quotes = (_cards(content, each, QUOTE_LINE) for each in (20, QUOTATION))
        cards = Height(*(max(each, default=0) + 1 for each in quotes))
    else:
        cards = _filled(content, options, tallest)
    return Height(math.ceil(narrow + cards.narrow), math.ceil(wide + cards.wide))


def _filled(content: Mapping[str, Any], options: Options, tallest: float) -> Height:
    """Estimate the height of all cards, in one column or three."""
    ends = [0.0] * {LIST: 1, WALL: 3}[options.layout]
    for card in _cards(content, COLUMN if options.layout == LIST else CARD):
        # Like the script, put each card into the shortest column.
        ends[ends.index(min(ends))] += card + GAP
    more = 3.5 if len(content["reviews"]) > 1 else 0  # The button that shows the rest.
    return Height(max(*ends, tallest + more), max(ends))


def _without_reviews(content: Mapping[str, Any], options: Options) -> Height:
    if options.layout == BAR:
        return Height(3.0 + _small([content["publisher"]], 28), 4.25)
    base, size = BADGES[options.size], 0.75 if options.size == "small" else 1
    heights = (base + size * _small([content["publisher"]], each / size) for each in (24, 45))
    return Height(*(math.ceil(2 * height) / 2 for height in heights))


def _small(texts: Iterable[str], characters: float) -> float:
    """Estimate the height of texts in small print."""
    return sum(SMALL_LINE * math.ceil(len(text) / characters) for text in texts)


def _cards(content: Mapping[str, Any], characters: int, line_height: float = LINE) -> list[float]:
    """Estimate the heights of cards with `characters` per line."""
    return [_card(review, characters, line_height) for review in content["reviews"]]


def _card(review: Mapping[str, Any], characters: int, line_height: float) -> float:
    lines = sum(math.ceil(max(len(line), 1) / characters) for line in review["text"].split("\n"))
    parts = [2.75, 1.15, *([lines * line_height] if review["text"] else [])]
    parts += [LINE] * sum(bool(review[name]) for name in ("rest", "mark", "reply"))
    parts += [4.0] if review["photos"] else []
    return 2.4 + sum(parts) + CARD_GAP * (len(parts) - 1)
