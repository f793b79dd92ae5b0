"""Draw the digest as a picture that can be forwarded."""

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
MIN_FONT_SIZE = 18
MAX_LETTERS = 200  # No more fit into a line, and measuring more is slow.


class Line(NamedTuple):
    """A line of text. `below` is the distance in pixels from the previous baseline."""

    text: str
    size: int
    colour: str
    below: int
    x: int = MARGIN
    width: int = WIDTH - 2 * MARGIN


def digest_picture(digest: Digest, business: str) -> bytes:
    """Draw the digest as PNG in the active language."""
    lines = [line for line in _lines(digest, business) if is_writable(line.text)]
    height = sum(line.below for line in lines) + MARGIN
    image = Image.new("RGB", (WIDTH, height), LIGHT["paper"])
    drawing = ImageDraw.Draw(image)
    drawing.rectangle((0, 0, 20, height), fill=ACCENT)
    y = 0
    for line in lines:
        y += line.below
        words, face = fitted(line.text[:MAX_LETTERS], line.size, line.width, least=MIN_FONT_SIZE)
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
    """Three columns, each with a number, its label, and the number of the previous period."""
    now, before = digest.numbers, digest.before
    columns = [
        (_shown(number), label, _("before: %(number)s") % {"number": _shown(previous)})
        for number, label, previous in (
            (now.reviews, ngettext("review", "reviews", now.reviews), before.reviews),
            (now.average, _("stars on average"), before.average),
            (now.low, _("with two stars or fewer"), before.low),
        )
    ]
    styles = ((84, "ink", 130), (26, "ink", 44), (22, "muted", 36))
    for (size, colour, below), texts in zip(styles, zip(*columns, strict=True), strict=True):
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
