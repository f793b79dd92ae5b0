"""Code to copy into a page, and links with QR codes."""

from dataclasses import dataclass
from html import escape

import segno
from django.conf import settings

from embed.badge import HEIGHT, WIDTH
from embed.oembed import iframe
from embed.options import Options
from reviews.sites import Profile


@dataclass(frozen=True, slots=True)
class Snippet:
    """A text to copy."""

    anchor: str
    title: str
    text: str
    help: str


@dataclass(frozen=True, slots=True)
class ReviewLink:
    """Where customers write a review, with a QR code for paper."""

    site: str
    url: str
    qr: str  # As SVG in a data URL.
    file_name: str


def snippets(options: Options, title: str) -> list[Snippet]:
    """The texts to copy for these options; `title` names the widget for screen readers."""
    base = settings.BASE_URL
    query = options.query()
    return [
        Snippet("code", "Code for your page", element(options, title), "Most sites take this."),
        Snippet(
            "frame",
            "Frame",
            iframe(options, title),
            "For sites that take no scripts. It works without JavaScript too.",
        ),
        Snippet(
            "address",
            "Address",
            f"{base}/embed{query and f'?{query}'}",
            "For editors that ask for an address to embed.",
        ),
        Snippet(
            "fragment",
            "Fragment for your web server",
            f"{base}/embed.html{query and f'?{query}'}",
            "Your server puts the HTML at this address into its own page, so that visitors and "
            "search engines read it there without JavaScript.",
        ),
        Snippet(
            "signature",
            "Badge for e-mail signatures",
            badge_html(options, title),
            "A picture with a link. Mail programs show it as it was when the mail is opened.",
        ),
    ]


def element(options: Options, title: str) -> str:
    """The script, the element, and a link without JavaScript."""
    usual = Options()
    given = {
        "layout": options.layout,
        "min-rating": options.min_rating if options.min_rating > 1 else "",
        "max": "" if options.layout == "badge" else options.max,
        "source": options.source,
        "sort": options.sort if options.sort != usual.sort else "",
        "theme": options.theme if options.theme != usual.theme else "",
        "accent": f"#{options.accent}" if options.accent else "",
        "lang": options.lang,
        # Keeps the content below in its place when the reviews arrive.
        "style": f"display: block; min-height: {options.height:g}em",
    }
    attributes = " ".join(
        f'{name}="{escape(str(value))}"' for name, value in given.items() if value
    )
    link = f'<a href="{escape(settings.BASE_URL)}/reviews">{escape(title)}</a>'
    return (
        f'<script src="{escape(settings.BASE_URL)}/embed.js" async></script>\n'
        f"<customer-reviews {attributes}></customer-reviews>\n"
        f"<noscript>{link}</noscript>"
    )


def badge_html(options: Options, title: str) -> str:
    query = options.query("theme", "accent", "lang")
    source = escape(f"{settings.BASE_URL}/badge.png{query and f'?{query}'}")
    return (
        f'<a href="{escape(settings.BASE_URL)}/reviews"><img src="{source}" width="{WIDTH}" '
        f'height="{HEIGHT}" alt="{escape(title)}" border="0"></a>'
    )


def with_qr_codes(links: list[Profile]) -> list[ReviewLink]:
    """The links with their QR codes; an address that is too long for a code has none."""
    return [
        ReviewLink(link.site, link.url, _qr(link.url), f"review-{number}.svg")
        for number, link in enumerate(links, 1)
    ]


def _qr(url: str) -> str:
    try:
        # A quarter of it may be dirty or torn: it hangs at a door.
        code = segno.make_qr(url, error="q")
    except segno.DataOverflowError:
        return ""
    return code.svg_data_uri(scale=4, border=4)
