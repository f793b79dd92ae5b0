"""The badge as a picture, for e-mail signatures and places that take no HTML."""

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string

from embed.languages import language
from embed.options import Options
from embed.widget import STARS, widget

WIDTH, HEIGHT = 232, 76


def svg(document: Mapping[str, Any], options: Options) -> str:
    """The badge as SVG; its text is text, and read out as one sentence."""
    return render_to_string("embed/badge.svg", {"options": options, **_content(document, options)})


def _content(document: Mapping[str, Any], options: Options) -> dict[str, Any]:
    shown = widget(document, options)
    spoken = language(options.lang, document["business"]["language"])
    return {
        "widget": shown,
        "publisher": spoken.phrase("published"),  # Without a name, which may be of any length.
        "stars": STARS,
    }
