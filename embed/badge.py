"""Draw the badge as an image, for places without HTML, such as e-mail signatures."""

import re
from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string
from PIL import Image, ImageDraw

from core.images import DARK, FIVE_STARS, LIGHT, draw_stars, encode_png, fitted, font
from embed.languages import language
from embed.options import Options
from embed.widget import widget

WIDTH, HEIGHT = 232, 76
SCALE = 2  # Pixels per unit, for high-resolution screens.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def svg(document: Mapping[str, Any], options: Options) -> bytes:
    """Render the badge as SVG; screen readers read its text as one sentence."""
    content = _content(document, options)
    text = render_to_string("embed/badge.svg", {"options": options, **content})
    return _NOT_XML.sub("", text).encode()


def png(document: Mapping[str, Any], options: Options) -> bytes:
    """Draw the badge as PNG, at twice its size; light unless the theme is dark."""
    shown = _content(document, options)
    colours = DARK if options.theme == "dark" else LIGHT
    ink = colours["ink"]
    image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), colours["paper"])
    draw = ImageDraw.Draw(image)
    draw.rectangle(
        (0, 0, WIDTH * SCALE - 1, HEIGHT * SCALE - 1), outline=colours["line"], width=SCALE
    )
    content = shown["widget"]
    draw.text((28, 68), content["rating_text"], ink, font(52), anchor="ls")
    if content["count"]:
        own = options.star_color or options.accent
        on = f"#{own}" if own else colours["star"]
        draw_stars(image, (176, 28), 44, content["rating"], (on, colours["star_off"]))
    for text, height, size, colour in (
        (content["count_text"], 106, 26, ink),
        (shown["publisher"], 136, 21, colours["muted"]),
    ):
        written, chosen = fitted(text, size, WIDTH * SCALE - 56, least=12)
        draw.text((28, height), written, colour, chosen, anchor="ls")
    return encode_png(image)


def _content(document: Mapping[str, Any], options: Options) -> dict[str, Any]:
    shown = widget(document, options)
    spoken = language(options.lang, document["business"]["language"])
    return {
        "widget": shown,
        "publisher": spoken.phrase("published"),  # A business's name might not fit.
        "star": options.star_color or options.accent,
        "stars": FIVE_STARS,
        "light": LIGHT,
        "dark": DARK,
    }
