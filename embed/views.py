"""The addresses of widgets, all made of the document `/embed.json`."""

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
CONTENT = ("min_rating", "max", "source", "sort", "lang")  # The options that choose words.
BADGES = ("theme", "accent", "star_color", "lang")
HTML = "text/html; charset=utf-8"
NO_STORE = {"Cache-Control": "no-store"}


View = Callable[[HttpRequest, Options], HttpResponse]


def with_options(view: View) -> Callable[[HttpRequest], HttpResponse]:
    """Read the options of a widget for a view, or refuse them with a sentence for each."""

    @require_safe
    @wraps(view)
    def read(request: HttpRequest) -> HttpResponse:
        try:
            return view(request, Options.parse(request.GET))
        except UnusableOptions as error:
            return problems.problem(400, str(error), headers=NO_STORE)

    return read


def _spoken(options: Options) -> Options:
    """The options with a known language, or none for the business's, so that variants are few."""
    own = current_content()["business"]["language"]
    known = language(options.lang, own)
    spoken = replace(options, lang="" if known is language(own) else known.tag)
    without = spoken.layout in WITHOUT_REVIEWS
    return replace(spoken, min_rating=1, max=6, source="", sort=NEWEST) if without else spoken


@with_options
def widget_json(request: HttpRequest, options: Options) -> HttpResponse:
    """The content of the element `<customer-reviews>`."""
    names = (*CONTENT, "layout") if options.layout == QUOTE else CONTENT
    return respond(request, _widget_json, _spoken(options.only(*names)), media_type=JSON)


def _widget_json(document: Mapping[str, Any], options: Options) -> bytes:
    return orjson.dumps(widget(document, options))


@with_options
def style_sheet(request: HttpRequest, options: Options) -> HttpResponse:
    """The styles of frames and fragments; with a look also the rule for its class."""
    return respond(request, _style_sheet, options.only(*LOOK), media_type=CSS)


def _style_sheet(document: Mapping[str, Any], options: Options) -> bytes:
    return f"{styles()}{own_styles(options)}\n".encode()


@with_options
def badge_svg(request: HttpRequest, options: Options) -> HttpResponse:
    """The badge as a drawing."""
    return respond(request, badge.svg, _spoken(options.only(*BADGES)), media_type=SVG)


@with_options
def badge_png(request: HttpRequest, options: Options) -> HttpResponse:
    """The badge as a picture."""
    shown = _spoken(options.only(*BADGES))
    return respond(request, badge.png, shown, media_type=PNG, codings=())


# --- HTML -----------------------------------------------------------------------------------------


@require_safe
@xframe_options_exempt
def frame(request: HttpRequest) -> HttpResponse:
    """The widget as a page, which other sites may frame."""
    headers = {"Content-Security-Policy": frame_policy()}
    try:
        options = _spoken(Options.parse(request.GET))
        if options.layout == FLOATING:
            options = replace(options, layout=BADGE)  # A frame has a place of its own.
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
    """The policy of the framed page; pictures come from any site where the business has them."""
    # By its name too: in a sandbox that a site puts the frame in, 'self' may stand for nothing.
    ours = f"'self' {settings.BASE_URL}"
    pictures = "img-src https:; " if has_pictures else ""
    ancestors = " ".join(settings.EMBED_FRAME_ANCESTORS)
    return (
        f"default-src 'none'; {pictures}style-src {ours}; script-src {ours}; base-uri 'none'; "
        f"form-action 'none'; frame-ancestors {ancestors}; require-trusted-types-for 'script'"
    )


@require_safe
def fragment(request: HttpRequest) -> HttpResponse:
    """The widget as a part of a page, for the HTML of another server."""
    try:
        options = _spoken(Options.parse(request.GET))
    except UnusableOptions as error:
        html = render_to_string("embed/problems.html", {"problems": error.problems})
        return HttpResponse(html, status=400, content_type=HTML, headers=NO_STORE)
    return respond(request, render, "embed/fragment.html", options, media_type=HTML)


def render(document: Mapping[str, Any], template: str, options: Options) -> bytes:
    """Render the widget with one of the templates."""
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
    """The description of an embedded page (oEmbed 1.0, 2.3)."""
    try:
        wanted = oembed.parse(request.GET)
    except oembed.NotEmbeddable as error:
        return problems.problem(error.status, str(error), headers=NO_STORE)
    return respond(request, _oembed_json, wanted, media_type=JSON)


def _oembed_json(document: Mapping[str, Any], wanted: oembed.Wanted) -> bytes:
    return orjson.dumps(oembed.describe(document, wanted))
