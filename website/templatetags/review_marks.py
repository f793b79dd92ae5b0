"""How a review's facts look on a page: stars, initials, the name of its source."""

from typing import Any

from django import template

from review_exports.formats.base import NO_SOURCE
from review_exports.values.web_addresses import is_web_address

register = template.Library()

TINTS = 6
LISTED_LINES, LISTED_CHARACTERS = 12, 900


@register.inclusion_tag("website/_stars.html")
def stars(rating: float) -> dict[str, Any]:
    """`rating` of five stars as a picture that also says it in words."""
    return {
        # As far into the drawing, 100 units wide, as the rating is into five.
        "width": f"{max(0.0, min(rating / 5, 1.0)) * 100:.1f}",
        "words": f"{rating:g} out of 5 stars",
    }


@register.filter
def initials(author: str) -> str:
    """The first letters of the first and the last name, in place of a stranger's picture."""
    letters = [next((c for c in word if c.isalnum()), "") for word in author.split()]
    found = [letter for letter in letters if letter]
    return "".join(found[:1] + found[1:][-1:]).upper()[:4]


@register.filter
def beginning(text: str) -> str:
    """As much of a text as a list shows; it ends with … where there is more."""
    listed = "\n".join(text.split("\n")[:LISTED_LINES])[:LISTED_CHARACTERS]
    return text if listed == text else f"{listed.rstrip()}…"


@register.filter
def tint(author: str) -> int:
    """One of a few colours, always the same for the same name."""
    return sum(author.encode()) % TINTS


@register.filter
def source_name(source: str) -> str:
    """`judge-me` as people write it; a review of which no source is known says so."""
    if source == NO_SOURCE:
        return "Source not stated"
    return source.replace("-", " ").title()


@register.filter
def web_address(url: str) -> str:
    """`url` if a browser may follow it: http and https alone, nothing that runs."""
    return url if is_web_address(url) else ""


@register.filter
def percent_of(count: int, total: int) -> str:
    return f"{100 * count / total:.1f}" if total else "0"
