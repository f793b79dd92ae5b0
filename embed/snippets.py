"""HTML to copy into a page, and links with QR codes."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import segno
from django.conf import settings
from django.utils.translation import gettext as _

from embed.badge import HEIGHT, WIDTH
from embed.heights import Height, estimate_height
from embed.oembed import iframe
from embed.options import FIELDS, Options
from reviews.sites import Profile

COLOURS = ("accent", "star_color")


@dataclass(frozen=True, slots=True)
class Snippet:
    anchor: str
    title: str
    text: str
    help: str


@dataclass(frozen=True, slots=True)
class ReviewLink:
    """A site where customers write reviews, with a QR code for print."""

    site: str
    url: str
    qr: str  # A data URL of an SVG image; empty if `url` is too long.
    file_name: str


def snippets(options: Options, content: Mapping[str, Any]) -> list[Snippet]:
    """Return the texts to copy for a widget."""
    base = settings.BASE_URL
    title, height = content["title"], estimate_height(content, options)
    query = options.query()
    return [
        Snippet(
            "code",
            _("Code for your page"),
            element(options, title, height),
            _("Works on most sites."),
        ),
        Snippet(
            "frame",
            _("Frame"),
            iframe(options, title, height.pixels),
            _("For sites that allow no scripts. It also works without JavaScript."),
        ),
        Snippet(
            "address",
            _("Address"),
            f"{base}/embed{query and f'?{query}'}",
            _("For editors that ask for an address to embed."),
        ),
        Snippet(
            "fragment",
            _("Fragment for your web server"),
            f"{base}/embed.html{query and f'?{query}'}",
            _(
                "Your server includes the HTML at this address in its own page. Visitors "
                "and search engines read it there without JavaScript."
            ),
        ),
        Snippet(
            "signature",
            _("Badge for e-mail signatures"),
            badge_html(options, title),
            _(
                "A picture with a link. Mail programs show its current state when the mail is "
                "opened."
            ),
        ),
    ]


def element(options: Options, title: str, height: Height) -> str:
    """Return script and element, with a link and a badge as its fallback."""
    given = attributes(options)
    if height.narrow:
        # Prevents layout shift when the reviews load.
        given["style"] = f"display: block; min-height: {height.css}"
    written = " ".join(f'{name}="{escape(str(value))}"' for name, value in given.items())
    base = escape(settings.BASE_URL)
    return (
        f'<script src="{base}/embed.js" async></script>\n'
        f"<customer-reviews {written}>\n"
        f'  <a href="{base}/reviews">{escape(title)}</a>\n'
        f"  <noscript><br>{badge_html(options, title, 'svg')}</noscript>\n"
        f"</customer-reviews>"
    )


def attributes(options: Options) -> dict[str, Any]:
    """Return the layout and other attributes without default values."""
    default = Options()
    return {
        name.replace("_", "-"): f"#{value}" if name in COLOURS else value
        for name in FIELDS
        if (value := getattr(options, name)) != getattr(default, name) or name == "layout"
    }


def badge_html(options: Options, title: str, form: str = "png") -> str:
    query = options.query("theme", *COLOURS, "lang")
    source = escape(f"{settings.BASE_URL}/badge.{form}{query and f'?{query}'}")
    return (
        f'<a href="{escape(settings.BASE_URL)}/reviews"><img src="{source}" width="{WIDTH}" '
        f'height="{HEIGHT}" alt="{escape(title)}" border="0"></a>'
    )


def with_qr_codes(links: list[Profile]) -> list[ReviewLink]:
    return [
        ReviewLink(link.site, link.url, _qr(link.url), f"review-{number}.svg")
        for number, link in enumerate(links, 1)
    ]


def _qr(url: str) -> str:
    try:
        # Level Q: readable if a quarter of the printed code is damaged.
        code = segno.make_qr(url, error="q")
    except segno.DataOverflowError:
        return ""
    return code.svg_data_uri(scale=4, border=4)
