"""Endpoints of widgets, all built from the document `/embed.json`."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from core.http import problems
from core.images import FIVE_STARS, ICONS
from embed import badge, oembed
from embed.documents import SCRIPT, own_styles, styles
from embed.languages import language
from embed.options import (
    BADGE,
    FLOATING,
    LOOK,
    NEWEST,
    QUOTE,
    WITHOUT_REVIEWS,
    Options,
    UnusableOptions,
)
from embed.responses import current_content, respond
from embed.widget import widget
from publishing.registry import JSON
from publishing.selectors import RETRY_AFTER_SECONDS, DocumentUnavailable

CSS = "text/css; charset=utf-8"
SVG, PNG = "image/svg+xml", "image/png"
CONTENT = ("min_rating", "max", "source", "sort", "lang")  # Options that affect the content.
BADGES = ("theme", "accent", "star_color", "lang")
HTML = "text/html; charset=utf-8"
NO_STORE = {"Cache-Control": "no-store"}


View = Callable[[HttpRequest, Options], HttpResponse]


def with_options(view: View) -> Callable[[HttpRequest], HttpResponse]:
    """Parse the options of a widget for a view; respond 400 to invalid ones."""

    @require_safe
    @wraps(view)
    def read(request: HttpRequest) -> HttpResponse:
        try:
            return view(request, Options.parse(request.GET))
        except UnusableOptions as error:
            return problems.problem(400, str(error), headers=NO_STORE)

    return read


def _normalise(options: Options) -> Options:
    """Reset options without effect, to limit the number of cached variants."""
    own = current_content()["business"]["language"]
    spoken = language(options.lang, own)
    options = replace(options, lang="" if spoken is language(own) else spoken.tag)
    if options.layout in WITHOUT_REVIEWS:
        return replace(options, min_rating=1, max=6, source="", sort=NEWEST)
    return options


@with_options
def widget_json(request: HttpRequest, options: Options) -> HttpResponse:
    """Serve the content of the element `<customer-reviews>`."""
    names = (*CONTENT, "layout") if options.layout == QUOTE else CONTENT
    return respond(request, _widget_json, _normalise(options.only(*names)), media_type=JSON)


def _widget_json(document: Mapping[str, Any], options: Options) -> bytes:
    return orjson.dumps(widget(document, options))


@with_options
def style_sheet(request: HttpRequest, options: Options) -> HttpResponse:
    """Serve the styles of frames and fragments, with a rule for the look if one is set."""
    return respond(request, _style_sheet, options.only(*LOOK), media_type=CSS)


def _style_sheet(document: Mapping[str, Any], options: Options) -> bytes:
    return f"{styles()}{own_styles(options)}\n".encode()


@with_options
def badge_svg(request: HttpRequest, options: Options) -> HttpResponse:
    return respond(request, badge.svg, _normalise(options.only(*BADGES)), media_type=SVG)


@with_options
def badge_png(request: HttpRequest, options: Options) -> HttpResponse:
    shown = _normalise(options.only(*BADGES))
    return respond(request, badge.png, shown, media_type=PNG, codings=())


# --- HTML -----------------------------------------------------------------------------------------


@require_safe
@xframe_options_exempt
def frame(request: HttpRequest) -> HttpResponse:
    """Serve the widget as a page for frames of other sites."""
    headers = {"Content-Security-Policy": frame_policy()}
    try:
        options = _normalise(Options.parse(request.GET))
        if options.layout == FLOATING:
            options = replace(options, layout=BADGE)  # A frame cannot float over its page.
        pictures = current_content()["has_pictures"]
        headers["Content-Security-Policy"] = frame_policy(has_pictures=pictures)
        page = ("embed/frame.html", options)
        return respond(request, render, *page, media_type=HTML, headers=headers)
    except UnusableOptions as error:
        return _frame_of_problems(400, error.problems, headers)
    except DocumentUnavailable:
        sentence = language(request.GET.get("lang", "")).phrase("unavailable")
        headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
        return _frame_of_problems(503, [sentence], headers)


def frame_policy(*, has_pictures: bool = False) -> str:
    """Return the policy of the framed page; with `has_pictures`, any site may serve images."""
    # The origin is named too, since 'self' matches nothing in a sandboxed frame.
    ours = f"'self' {settings.BASE_URL}"
    pictures = "img-src https:; " if has_pictures else ""
    ancestors = " ".join(settings.EMBED_FRAME_ANCESTORS)
    return (
        f"default-src 'none'; {pictures}style-src {ours}; script-src {ours}; base-uri 'none'; "
        f"form-action 'none'; frame-ancestors {ancestors}; require-trusted-types-for 'script'"
    )


@require_safe
def fragment(request: HttpRequest) -> HttpResponse:
    """Serve the widget as an HTML fragment for server-side includes."""
    try:
        options = _normalise(Options.parse(request.GET))
    except UnusableOptions as error:
        html = render_to_string("embed/problems.html", {"problems": error.problems})
        return HttpResponse(html, status=400, content_type=HTML, headers=NO_STORE)
    return respond(request, render, "embed/fragment.html", options, media_type=HTML)


def render(document: Mapping[str, Any], template: str, options: Options) -> bytes:
    shown = widget(document, options)
    context = {
        "options": options,
        "widget": shown,
        "stars": FIVE_STARS,
        "icons": ICONS,
        "lang": shown["lang"],
    }
    return render_to_string(template, {**context, **_addresses(options)}).encode()


def _frame_of_problems(
    status: int, sentences: list[str], headers: Mapping[str, str]
) -> HttpResponse:
    context = {"problems": sentences, "options": Options(), "lang": "en", **_addresses(Options())}
    page = render_to_string("embed/frame.html", context)
    return HttpResponse(page, status=status, content_type=HTML, headers={**headers, **NO_STORE})


def _addresses(options: Options) -> dict[str, str]:
    query = options.query(*LOOK)
    return {
        "styles_url": f"{settings.BASE_URL}/embed.css{query and f'?{query}'}",
        "script_url": f"{settings.BASE_URL}{SCRIPT.path}",
        "reviews_url": f"{settings.BASE_URL}/reviews",
    }


# --- oEmbed ---------------------------------------------------------------------------------------


@require_safe
def oembed_json(request: HttpRequest) -> HttpResponse:
    """Describe an embeddable page (oEmbed 1.0, 2.3)."""
    try:
        embed_request = oembed.parse(request.GET)
    except oembed.NotEmbeddable as error:
        return problems.problem(error.status, str(error), headers=NO_STORE)
    return respond(request, _oembed_json, embed_request, media_type=JSON)


def _oembed_json(document: Mapping[str, Any], embed_request: oembed.EmbedRequest) -> bytes:
    return orjson.dumps(oembed.describe(document, embed_request))
