"""Template filters and tags for reviews, insights and status."""

import datetime as dt
from typing import TYPE_CHECKING, Any

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from core.images import FIVE_STARS, ICONS
from review_exports.values.web_addresses import is_web_address
from reviews.avatars import initials, tint
from reviews.languages import UNDETERMINED, language_name
from websub import formatting

if TYPE_CHECKING:
    from reviews.models import Business, Review
    from website.status import Status

register = template.Library()
register.filter("language_name", language_name)
register.filter("initials", initials)
register.filter("tint", tint)

LISTED_LINES = 12


@register.inclusion_tag("website/_stars.html")
def stars(rating: float) -> dict[str, Any]:
    """Draw a rating as stars, with a text alternative."""
    return {
        # In percent of the drawing.
        "width": f"{max(0.0, min(rating / 5, 1.0)) * 100:.1f}",
        "words": _("%(rating)s out of 5 stars") % {"rating": f"{rating:g}"},
    }


@register.simple_tag
def five_stars() -> str:
    """Return the SVG path of five stars, which a page contains once for all ratings."""
    return FIVE_STARS


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw an icon in the size of the text, hidden from screen readers."""
    return format_html(
        '<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="{}"/></svg>', ICONS[name]
    )


@register.filter
def business_name(business: "Business | None") -> str:
    """Return the name of the business for use in a sentence, even if none is entered."""
    return business.name if business else _("this business")


@register.filter
def beginning(text: str, limit: int) -> str:
    """Shorten a text for a list to `limit` characters; 0 means no limit."""
    if not limit:
        return text
    listed = "\n".join(text.split("\n")[:LISTED_LINES])
    if len(listed) > limit:
        listed = listed[:limit].rpartition(" ")[0] or listed[:limit]
    return text if listed == text else f"{listed.rstrip()}…"


@register.filter
def og_locale(tag: str, country: str) -> str:
    """Format a language tag for Open Graph, like `en_US`."""
    language, _, rest = tag.partition("-")
    region = rest[-2:] if len(rest) >= 2 and rest[-2:].isalpha() else country
    return f"{language.lower()}_{region.upper()}" if region else language.lower()


@register.filter
def translated_from(review: "Review") -> str:
    """Return the name of the text's language, like `German`, or an empty string."""
    tag = review.language or ""
    return language_name(tag) if tag not in {"", UNDETERMINED} else ""


@register.filter
def web_address(url: str) -> str:
    """Return an http or https URL unchanged, an empty string for any other."""
    return url if is_web_address(url) else ""


@register.filter
def percent_of(count: int, total: int) -> str:
    return f"{100 * count / total:.1f}" if total else "0"


@register.filter
def is_wordless(review: "Review") -> bool:
    """Whether a review has only stars, so that it takes one line."""
    return not (review.text or review.reply_text or review.public_photos or review.alteration)


# --- Insights -------------------------------------------------------------------------------------


@register.filter
def signed(score: float | None) -> str:
    """Format a score or a difference with its sign."""
    return "\N{EN DASH}" if score is None else f"{score:+.2f}".replace("-", "\N{MINUS SIGN}")


@register.filter(expects_localtime=True)
def long_date(date: dt.date | str) -> str:
    """Format a date with the month's name, as is usual in the page's language."""
    day = dt.date.fromisoformat(date) if isinstance(date, str) else date
    # Translators: A format of Django's `date` filter, like "j. F Y" or "j \\d\\e F \\d\\e Y".
    return date_format(day, pgettext("date format", "j F Y"))


OPINIONS = {
    "positive": gettext_lazy("positive"),
    "neutral": gettext_lazy("neutral"),
    "negative": gettext_lazy("negative"),
}


@register.filter
def opinion(label: str) -> str:
    return str(OPINIONS.get(label, label))


@register.filter
def opinion_counts(aspect: dict[str, Any]) -> str:
    """Format the numbers of opinions on an aspect, like "4 for, 9 against"."""
    praise, blame = aspect["positive_count"], aspect["negative_count"]
    if praise and blame:
        return _("%(praise)d for, %(blame)d against") % {"praise": praise, "blame": blame}
    if praise:
        return _("%(praise)d for") % {"praise": praise}
    return _("%(blame)d against") % {"blame": blame} if blame else _("neither")


@register.filter
def translated(label: str) -> str:
    """Translate a label of the shipped taxonomies; others stay unchanged."""
    return _(label) if label else ""


# --- Status ---------------------------------------------------------------------------------------


HEARTBEATS = {
    "ok": gettext_lazy("running"),
    "stale": gettext_lazy("no sign of life for more than 30 seconds"),
    "absent": gettext_lazy("not running"),
}


@register.filter
def headline(status: "Status") -> str:
    """Summarise the status in one sentence."""
    if not status.documents:
        return _("Nothing is published yet")
    if all(state == "ok" for state in status.heartbeats.values()):
        return _("Published; changes are delivered")
    return _("Published; deliveries wait")


@register.filter
def seconds(span: float | None) -> str:
    return _("none yet") if span is None else formatting.format_duration(span)


@register.filter
def ago(at: dt.datetime, now: dt.datetime) -> str:
    # Clocks differ, so a new document's time may be in the future.
    if (now - at).total_seconds() < 60:
        return _("just now")
    return _("%(time)s ago") % {"time": timesince(at, now, depth=1)}


@register.filter
def heartbeat(state: str) -> str:
    return str(HEARTBEATS.get(state, state))
