"""oEmbed 1.0: how editors embed an address of ours."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.http import QueryDict

from embed.heights import reserved
from embed.options import BADGE, FLOATING, LIST, Options, UnusableOptions
from embed.widget import widget

PROVIDER = "Reviews"
WIDTH = 640
_PAGES = re.compile(r"/|/reviews(?:/[0-7][0-9A-HJKMNP-TV-Z]{25})?", re.ASCII)
_LENGTH = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
MAX_URL = 2_000


class NotEmbeddable(ValueError):
    """An address or a format that is not served; `status` is that of the answer (oEmbed 2.3.5)."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True, slots=True)
class Wanted:
    """The widget that a consumer wants, and the room for it."""

    options: Options
    max_width: int
    max_height: int | None


def parse(query: Mapping[str, str]) -> Wanted:
    """Read a request. Raises `NotEmbeddable`."""
    if query.get("format", "json") != "json":
        raise NotEmbeddable(501, "Only format=json is served here.")
    url = query.get("url", "")
    if not url:
        raise NotEmbeddable(400, f"url is missing; give an address like {settings.BASE_URL}/.")
    width = _length(query, "maxwidth")
    return Wanted(_options(url), min(width or WIDTH, WIDTH), _length(query, "maxheight"))


def _length(query: Mapping[str, str], name: str) -> int | None:
    text = query.get(name, "")
    if text and not _LENGTH.fullmatch(text):
        raise NotEmbeddable(400, f"{name} must be a whole number of pixels.")
    return int(text) if text else None


def _options(url: str) -> Options:
    """The options of the widget that stands for an address of ours."""
    ours = urlsplit(settings.BASE_URL)
    try:
        found = urlsplit(url[:MAX_URL])
        is_ours = (found.scheme, found.netloc) == (ours.scheme, ours.netloc)
    except ValueError:
        is_ours = False
    if is_ours and found.path == "/embed":
        try:
            return Options.parse(QueryDict(found.query))
        except (UnusableOptions, TooManyFieldsSent) as error:
            raise NotEmbeddable(404, f"url has options that cannot be used. {error}") from error
    if is_ours and _PAGES.fullmatch(found.path or "/"):
        return Options()
    raise NotEmbeddable(
        404, f"url must be a page of {settings.BASE_URL}: /, /reviews, a review, or /embed."
    )


def describe(document: Mapping[str, Any], wanted: Wanted) -> dict[str, Any]:
    """The members of a rich response (oEmbed 2.3.4.4)."""
    options = _fitting(document, wanted.options, wanted.max_height)
    shown = widget(document, options)
    title = shown["title"]
    height = reserved(shown, options).pixels
    return {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": document["business"]["name"] or PROVIDER,
        "provider_url": f"{settings.BASE_URL}/",
        "cache_age": settings.CACHE_MAX_AGE_SECONDS,
        "html": iframe(options, title, height, wanted.max_width),
        "width": wanted.max_width,
        "height": height,
    }


def _fitting(document: Mapping[str, Any], options: Options, max_height: int | None) -> Options:
    """The options with so few reviews that the frame is no higher; at the least a badge."""
    if options.layout == FLOATING:
        options = replace(options, layout=BADGE)  # A frame has a place of its own.
    if max_height is None:
        return options
    fewer = range(options.max, 0, -1) if options.layout == LIST else [options.max]
    fitting = (replace(options, max=number) for number in fewer)
    return next(
        (each for each in fitting if reserved(widget(document, each), each).pixels <= max_height),
        replace(options, layout=BADGE, size="small"),
    )


def iframe(options: Options, title: str, height: int, width: int | None = None) -> str:
    """The HTML of a frame with the widget; as wide as its place unless a width is given."""
    query = options.query()
    url = f"{settings.BASE_URL}/embed{query and f'?{query}'}"
    return (
        f'<iframe src="{escape(url)}" title="{escape(title)}" width="{width or "100%"}" '
        f'height="{height}" frameborder="0" loading="lazy"></iframe>'
    )
