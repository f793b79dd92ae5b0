"""The addresses of widgets, all made of the document `/embed.json`."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from core.http import problems
from core.images import FIVE_STARS
from embed import badge, oembed
from embed.documents import styles
from embed.languages import language
from embed.options import BADGE, Options, UnusableOptions
from embed.responses import HTML, current_content, respond
from embed.widget import widget
from publishing.registry import JSON
from publishing.selectors import RETRY_AFTER_SECONDS, DocumentUnavailable

CSS = "text/css; charset=utf-8"
SVG, PNG = "image/svg+xml", "image/png"
CONTENT = ("min_rating", "max", "source", "sort", "lang")  # The options that choose words.
NO_STORE = {"Cache-Control": "no-store"}


@require_safe
def widget_json(request: HttpRequest) -> HttpResponse:
    """The content of the element `<customer-reviews>`."""
    try:
        options = _spoken(Options.parse(request.GET).only(*CONTENT))
    except UnusableOptions as error:
        return _refused(error)
    return respond(
        request,
        ("widget", options),
        lambda document: orjson.dumps(widget(document, options)),
        JSON,
    )


# --- HTML -----------------------------------------------------------------------------------------


@require_safe
@xframe_options_exempt
def frame(request: HttpRequest) -> HttpResponse:
    """The widget as a page, which other sites may frame."""
    policy = ("Content-Security-Policy", frame_policy())
    try:
        options = _spoken(Options.parse(request.GET))
        return respond(
            request,
            ("frame", options),
            lambda document: render_frame(document, options),
            HTML,
            headers=[policy],
        )
    except UnusableOptions as error:
        return _frame_of_problems(400, error.problems, dict([policy]))
    except DocumentUnavailable:
        sentence = language(request.GET.get("lang", "")).phrase("unavailable")
        headers = dict([policy, ("Retry-After", str(RETRY_AFTER_SECONDS))])
        return _frame_of_problems(503, [sentence], headers)


def frame_policy() -> str:
    """The policy of the framed page: our styles and script, and sites that may frame it."""
    # By its name too: in a sandbox that a site puts the frame in, 'self' may stand for nothing.
    ours = f"'self' {settings.BASE_URL}"
    ancestors = " ".join(settings.EMBED_FRAME_ANCESTORS)
    return (
        f"default-src 'none'; style-src {ours}; script-src {ours}; base-uri 'none'; "
        f"form-action 'none'; frame-ancestors {ancestors}; require-trusted-types-for 'script'"
    )


def render_frame(document: Mapping[str, Any], options: Options) -> bytes:
    context = _context(document, options)
    page = render_to_string("embed/frame.html", {**context, "lang": context["widget"]["lang"]})
    return page.encode()


def _frame_of_problems(
    status: int, sentences: list[str], headers: Mapping[str, str]
) -> HttpResponse:
    context = {"problems": sentences, "options": Options(), "lang": "en", **_addresses(Options())}
    page = render_to_string("embed/frame.html", context)
    return HttpResponse(page, status=status, content_type=HTML, headers={**headers, **NO_STORE})


@require_safe
def fragment(request: HttpRequest) -> HttpResponse:
    """The widget as a part of a page, for the HTML of another server."""
    try:
        options = _spoken(Options.parse(request.GET))
    except UnusableOptions as error:
        context = {"problems": error.problems}
        html = render_to_string("embed/problems.html", context)
        return HttpResponse(html, status=400, content_type=HTML, headers=NO_STORE)
    return respond(
        request,
        ("fragment", options),
        lambda document: render_to_string(
            "embed/fragment.html", _context(document, options)
        ).encode(),
        HTML,
    )


def _context(document: Mapping[str, Any], options: Options) -> dict[str, Any]:
    shown = {"options": options, "widget": widget(document, options), "stars": FIVE_STARS}
    return {**shown, **_addresses(options)}


def _addresses(options: Options) -> dict[str, str]:
    query = options.query("accent")
    return {
        "styles_url": f"{settings.BASE_URL}/embed.css{query and f'?{query}'}",
        "script_url": f"{settings.BASE_URL}{static('embed/frame.js')}",
        "reviews_url": f"{settings.BASE_URL}/reviews",
    }


@require_safe
def style_sheet(request: HttpRequest) -> HttpResponse:
    """The styles of frames and fragments; with an accent also the rule for its class."""
    try:
        accent = Options.parse(request.GET).accent
    except UnusableOptions as error:
        return _refused(error)
    rule = f"\n.cr.cr-accent-{accent} {{ --cr-accent: #{accent}; }}" if accent else ""
    return respond(request, ("css", accent), lambda _: f"{styles()}{rule}\n".encode(), CSS)


# --- Pictures -------------------------------------------------------------------------------------


@require_safe
def badge_svg(request: HttpRequest) -> HttpResponse:
    try:
        options = _spoken(Options.parse(request.GET).only("theme", "accent", "lang"))
    except UnusableOptions as error:
        return _refused(error)
    return respond(
        request, ("svg", options), lambda document: badge.svg(document, options).encode(), SVG
    )


@require_safe
def badge_png(request: HttpRequest) -> HttpResponse:
    try:
        options = _spoken(Options.parse(request.GET).only("theme", "accent", "lang"))
    except UnusableOptions as error:
        return _refused(error)
    return respond(
        request, ("png", options), lambda document: badge.png(document, options), PNG, codings=()
    )


# --- oEmbed ---------------------------------------------------------------------------------------


@require_safe
def oembed_json(request: HttpRequest) -> HttpResponse:
    """The description of an embedded page (oEmbed 1.0, 2.3)."""
    try:
        wanted = oembed.parse(request.GET)
    except oembed.NotEmbeddable as error:
        return problems.problem(error.status, str(error), headers=NO_STORE)
    except UnusableOptions as error:
        return _refused(error)
    return respond(
        request,
        ("oembed", *asdict(wanted.options).values(), wanted.max_width, wanted.max_height),
        lambda document: orjson.dumps(oembed.describe(document, wanted)),
        JSON,
    )


def _refused(error: UnusableOptions) -> HttpResponse:
    return problems.problem(400, str(error), headers=NO_STORE)


def _spoken(options: Options) -> Options:
    """The options with a known language, or none for that of the business.

    So other spellings of a language add no variants.
    """
    own = current_content()["business"]["language"]
    known = language(options.lang, own)
    spoken = replace(options, lang="" if known is language(own) else known.tag)
    return spoken.only("layout", "theme", "accent", "lang") if spoken.layout == BADGE else spoken
