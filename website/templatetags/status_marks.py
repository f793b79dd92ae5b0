"""Counts and times of the status page in words."""

import datetime as dt

from django import template
from django.utils.timesince import timesince

from website.status import Status
from websub import formatting

register = template.Library()

SIGNS = {
    "ok": "at work",
    "stale": "silent for more than 30 seconds",
    "absent": "not running",
}


@register.filter
def headline(status: Status) -> str:
    """The one sentence for whoever reads no further."""
    if not status.documents:
        return "Nothing is published yet"
    if all(state == "ok" for state in status.signs_of_life.values()):
        return "Published, and delivered as it changes"
    return "Published; deliveries wait"


@register.filter
def seconds(span: float | None) -> str:
    return "none yet" if span is None else formatting.format_duration(span)


@register.filter
def ago(at: dt.datetime, now: dt.datetime) -> str:
    # The clock of a change may be a little ahead of ours: see when a document is new.
    return f"{timesince(at, now, depth=1)} ago" if (now - at).total_seconds() >= 60 else "just now"


@register.filter
def sign_of_life(state: str) -> str:
    return SIGNS.get(state, state)
