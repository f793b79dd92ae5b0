"""oEmbed 1.0, by which editors embed pages of the site."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.http import QueryDict

from embed.heights import estimate_height
from embed.options import BADGE, FLOATING, LIST, Options, UnusableOptions
from embed.widget import widget

PROVIDER = "Reviews"
WIDTH = 640
_PAGES = re.compile(r"/|/reviews(?:/[0-7][0-9A-HJKMNP-TV-Z]{25})?", re.ASCII)
_LENGTH = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
MAX_URL = 2_000


class NotEmbeddable(ValueError):
    """URL or format cannot be embedded; `status` is the HTTP status (oEmbed 2.3.5)."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True, slots=True)
class EmbedRequest:
    """The requested widget and its maximum size."""

    options: Options
    max_width: int
    max_height: int | None


def parse(query: Mapping[str, str]) -> EmbedRequest:
    """Parse a request; raises NotEmbeddable."""
    if query.get("format", "json") != "json":
        raise NotEmbeddable(501, "Only format=json is served here.")
    url = query.get("url", "")
    if not url:
        raise NotEmbeddable(400, f"url is missing; give an address like {settings.BASE_URL}/.")
    width = _length(query, "maxwidth")
    return EmbedRequest(_options(url), min(width or WIDTH, WIDTH), _length(query, "maxheight"))


def _length(query: Mapping[str, str], name: str) -> int | None:
    text = query.get(name, "")
    if text and not _LENGTH.fullmatch(text):
        raise NotEmbeddable(400, f"{name} must be a whole number of pixels.")
    return int(text) if text else None


def _options(url: str) -> Options:
    """Return the options of the widget for a URL of the site."""
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


def describe(document: Mapping[str, Any], request: EmbedRequest) -> dict[str, Any]:
    """Return the members of a rich response (oEmbed 2.3.4.4)."""
    options = _fit(document, request.options, request.max_height)
    shown = widget(document, options)
    title = shown["title"]
    height = estimate_height(shown, options).pixels
    return {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": document["business"]["name"] or PROVIDER,
        "provider_url": f"{settings.BASE_URL}/",
        "cache_age": settings.CACHE_MAX_AGE_SECONDS,
        "html": iframe(options, title, height, request.max_width),
        "width": request.max_width,
        "height": height,
    }


def _fit(document: Mapping[str, Any], options: Options, max_height: int | None) -> Options:
    """Reduce the number of reviews to fit `max_height`; fall back to a badge."""
    if options.layout == FLOATING:
        options = replace(options, layout=BADGE)  # A frame cannot float over its page.
    if max_height is None:
        return options
    fewer = range(options.max, 0, -1) if options.layout == LIST else [options.max]
    fitting = (replace(options, max=number) for number in fewer)
    return next(
        (
            each
            for each in fitting
            if estimate_height(widget(document, each), each).pixels <= max_height
        ),
        replace(options, layout=BADGE, size="small"),
    )


def iframe(options: Options, title: str, height: int, width: int | None = None) -> str:
    """Return the HTML of a frame with the widget; it is fluid unless a width is given."""
    query = options.query()
    url = f"{settings.BASE_URL}/embed{query and f'?{query}'}"
    return (
        f'<iframe src="{escape(url)}" title="{escape(title)}" width="{width or "100%"}" '
        f'height="{height}" frameborder="0" loading="lazy"></iframe>'
    )
