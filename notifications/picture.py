"""The digest as a picture, which can be forwarded where a page cannot."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils.formats import date_format, localize
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from PIL import Image, ImageDraw

from core.images import ACCENT, LIGHT, encode_png, fitted, is_writable
from notifications.digest import Digest, Point

WIDTH, MARGIN = 1200, 72
COLUMN = (WIDTH - 2 * MARGIN) // 3
LEAST = 18  # Pixels of a letter.
LONGEST = 200  # Letters of a line, of which no more fit; measuring more takes long.


class Line(NamedTuple):
    """A line of text, its baseline so many pixels below that of the line before."""

    text: str
    size: int
    colour: str
    below: int
    x: int = MARGIN
    width: int = WIDTH - 2 * MARGIN


def digest_picture(digest: Digest, business: str) -> bytes:
    """The digest as PNG, in the language that is active."""
    lines = [line for line in _lines(digest, business) if is_writable(line.text)]
    height = sum(line.below for line in lines) + MARGIN
    image = Image.new("RGB", (WIDTH, height), LIGHT["paper"])
    drawing = ImageDraw.Draw(image)
    drawing.rectangle((0, 0, 20, height), fill=ACCENT)
    y = 0
    for line in lines:
        y += line.below
        words, face = fitted(line.text[:LONGEST], line.size, line.width, least=LEAST)
        drawing.text((line.x, y), words, font=face, fill=LIGHT[line.colour], anchor="ls")
    return encode_png(image)


def _lines(digest: Digest, business: str) -> Iterator[Line]:
    period = ngettext("%(first)s", "%(first)s to %(last)s", digest.days)
    days = {"first": date_format(digest.first), "last": date_format(digest.last)}
    yield Line(business, 48, "ink", 110)
    yield Line(period % days, 28, "muted", 46)
    yield from _numbers(digest)
    yield from _points(_("Praised"), digest.praised)
    yield from _points(_("Criticised"), digest.criticised)
    waiting = _("Unanswered reviews of the last 30 days")
    yield Line(f"{waiting}: {digest.unanswered_count}", 32, "ink", 80)


def _numbers(digest: Digest) -> Iterator[Line]:
    """Three columns: a number, its words, and the number of the period before."""
    now, before = digest.numbers, digest.before
    reviews = ngettext("review", "reviews", now.reviews)
    columns = (
        (now.reviews, reviews, before.reviews),
        (now.average, _("stars on average"), before.average),
        (now.low, _("with two stars or fewer"), before.low),
    )
    rows = (
        (84, "ink", 130, [_shown(number) for number, _words, _before in columns]),
        (26, "ink", 44, [words for _number, words, _before in columns]),
        (
            *(22, "muted", 36),
            [
                _("before: %(number)s") % {"number": _shown(each)}
                for _number, _words, each in columns
            ],
        ),
    )
    for size, colour, below, texts in rows:
        for number, text in enumerate(texts):
            x = MARGIN + number * COLUMN
            yield Line(text, size, colour, 0 if number else below, x, COLUMN - 24)


def _points(heading: str, points: Sequence[Point]) -> Iterator[Line]:
    if points:
        yield Line(heading, 32, "ink", 80)
    for point in points:
        yield Line(f"{point.label} ({point.count})", 28, "ink", 52)
        for evidence in point.evidence[:1]:
            yield Line(f"“{evidence.phrase}”", 24, "muted", 38)


def _shown(number: float | None) -> str:
    return "\u2013" if number is None else str(localize(number))
