"""Nudges: each works off what is due and may run twice or never."""

from insights.refresh import refresh
from reviews.doorbell import doorbell


@doorbell
def refresh_insights() -> None:
    refresh()
