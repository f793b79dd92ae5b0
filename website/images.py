"""Images of the site: logo, icon, and previews for social networks."""

import hashlib
from collections.abc import Callable
from functools import lru_cache
from io import BytesIO

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe
from PIL import Image, ImageDraw

from core.images import ACCENT, LIGHT, draw_stars, encode_png, fitted, font, is_writable
from embed.languages import language
from reviews.current import current_rating
from reviews.models import Logo
from reviews.selectors import get_business, get_review, logo_of
from reviews.ulids import is_ulid

ICON_SIDE = 192
ICON_MARGIN = 12
SHARE_SIZE = SHARE_WIDTH, SHARE_HEIGHT = 1200, 630  # Open Graph: 1.91 to 1.
MARGIN = 88
SHARE_LOGO = 150
QUOTATION_HEIGHT, QUOTATION_LINE = 320, 1.3  # In pixels, and as a multiple of the font size.
QUOTATION_SIZES = (64, 52, 44, 36)
QUOTATION_CHARACTERS = 800


@require_safe
def logo(request: HttpRequest) -> HttpResponseBase:
    return _respond(request, _stored_logo)


@require_safe
def icon(request: HttpRequest) -> HttpResponseBase:
    """Serve the logo as a square icon for browsers and home screens."""
    return _respond(request, lambda: _draw_icon(_stored_logo()))


@require_safe
def favicon(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the icon of the logo, or to the default star."""
    return redirect("/icon.png" if logo_of(get_business()) else static("website/icon.svg"))


@require_safe
def share(request: HttpRequest) -> HttpResponseBase:
    """Serve an image of name, stars and number of reviews, for links in social networks."""
    business, rating = get_business(), current_rating()
    uploaded = logo_of(business)
    return _respond(
        request,
        lambda: _draw_share(
            business.name if business else "",
            business.language if business else "",
            rating.rating_value,
            rating.review_count,
            uploaded.digest if uploaded else "",
        ),
    )


@require_safe
def review_share(request: HttpRequest, ulid: str) -> HttpResponseBase:
    """Serve an image of one review, for links in social networks."""
    if (review := get_review(ulid) if is_ulid(ulid) else None) is None:
        raise Http404
    business = get_business()
    # Longer texts fit in no font size, and measuring them would take seconds.
    words = " ".join(review.customer_text[:QUOTATION_CHARACTERS].split())
    texts = (words, review.public_author, business.name if business else "")
    if not is_writable("".join(texts)):
        return share(request)  # The font lacks letters of its language.
    return _respond(request, lambda: _draw_review(*texts, review.customer_rating))


def _respond(request: HttpRequest, make: Callable[[], bytes]) -> HttpResponseBase:
    png = make()
    etag = f'"{hashlib.sha256(png).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": f"public, max-age={settings.CACHE_MAX_AGE_SECONDS}"}
    response = HttpResponse(png, content_type="image/png", headers=headers)
    return get_conditional_response(request, etag=etag, response=response) or response


def _stored_logo() -> bytes:
    png = Logo.objects.values_list("png", flat=True).first()
    if png is None:
        raise Http404
    return bytes(png)


@lru_cache(maxsize=1)
def _draw_icon(png: bytes) -> bytes:
    canvas = Image.new("RGBA", (ICON_SIDE, ICON_SIDE), (255, 255, 255, 255))
    _place(canvas, png, (ICON_MARGIN, ICON_MARGIN), ICON_SIDE - 2 * ICON_MARGIN)
    return encode_png(canvas)


@lru_cache(maxsize=4)
def _draw_share(name: str, tag: str, rating: float | None, reviews: int, logo_digest: str) -> bytes:
    """Draw name and rating as PNG. `logo_digest` makes the cache depend on the logo."""
    spoken = language(tag)
    image = Image.new("RGB", SHARE_SIZE, LIGHT["paper"])
    drawing = ImageDraw.Draw(image)
    drawing.rectangle((0, 0, 20, SHARE_HEIGHT), fill=ACCENT)
    if logo_digest:
        _place(image, _stored_logo(), (MARGIN, 64), SHARE_LOGO)

    def write(text: str, at: tuple[int, int], size: int, colour: str) -> None:
        words, face = fitted(text, size, SHARE_WIDTH - MARGIN - at[0], least=min(size, 44))
        drawing.text(at, words, font=face, fill=LIGHT[colour], anchor="ls")

    shown = " ".join(name.split())
    if not shown or not is_writable(shown):
        shown = spoken.phrase("title")
    write(shown, (MARGIN, 330), 76, "ink")
    if rating is None:
        write(spoken.phrase("none"), (MARGIN, 440), 52, "muted")
        return encode_png(image)
    value = spoken.rating(rating)
    write(value, (MARGIN, 500), 128, "ink")
    beside = MARGIN + round(font(128).getlength(value)) + 40
    draw_stars(image, (beside, 402), 66, rating, (LIGHT["star"], LIGHT["star_off"]))
    write(spoken.counted("count", reviews), (beside, 512), 36, "muted")
    return encode_png(image)


@lru_cache(maxsize=64)
def _draw_review(words: str, author: str, name: str, rating: int) -> bytes:
    """Draw one review as PNG: stars, words as large as they fit, author, business."""
    image = Image.new("RGB", SHARE_SIZE, LIGHT["paper"])
    drawing = ImageDraw.Draw(image)
    drawing.rectangle((0, 0, 20, SHARE_HEIGHT), fill=ACCENT)
    draw_stars(image, (MARGIN, 72), 56, rating, (LIGHT["star"], LIGHT["star_off"]))
    width = SHARE_WIDTH - 2 * MARGIN
    if words:
        lines, size = _quotation(f"“{words}”", width, QUOTATION_HEIGHT)
        spacing = size * (QUOTATION_LINE - 1)
        drawing.multiline_text(
            (MARGIN, 170), "\n".join(lines), LIGHT["ink"], font(size), spacing=spacing
        )
    for text, at, size, colour in ((author, 540, 40, "ink"), (name, 590, 30, "muted")):
        shown, face = fitted(text, size, width, least=size)
        drawing.text((MARGIN, at), shown, font=face, fill=LIGHT[colour], anchor="ls")
    return encode_png(image)


def _quotation(text: str, width: int, height: int) -> tuple[list[str], int]:
    """Wrap a text in the largest font size that fits; return its lines and the size."""
    lines: list[str] = []
    for size in QUOTATION_SIZES:
        lines = _wrap(text, size, width)
        if len(lines) * size * QUOTATION_LINE <= height:
            return lines, size
    size = QUOTATION_SIZES[-1]
    shown = lines[: int(height / (size * QUOTATION_LINE))]
    return [*shown[:-1], f"{shown[-1].rpartition(' ')[0]}…”"], size


def _wrap(text: str, size: int, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font(size).getlength(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return [fitted(line, size, width, least=size)[0] for line in lines]


def _place(canvas: Image.Image, png: bytes, at: tuple[int, int], side: int) -> None:
    """Paste the logo into the centre of a square of the canvas."""
    with Image.open(BytesIO(png), formats=["PNG"]) as opened:
        picture = opened.convert("RGBA")
    scale = side / max(picture.size)
    size = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
    picture = picture.resize(size, Image.Resampling.LANCZOS)
    x, y = at[0] + (side - size[0]) // 2, at[1] + (side - size[1]) // 2
    canvas.paste(picture, (x, y), picture)
