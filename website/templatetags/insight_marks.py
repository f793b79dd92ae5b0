"""Scores, days and the trend of the insights in words."""

import datetime as dt
from typing import Any

from django import template
from django.utils.formats import date_format

register = template.Library()


@register.filter
def signed(score: float | None) -> str:
    """A score or a difference with its sign."""
    return "\N{EN DASH}" if score is None else f"{score:+.2f}".replace("-", "\N{MINUS SIGN}")


@register.filter
def day(date: str) -> str:
    return date_format(dt.date.fromisoformat(date), "j F Y")


@register.filter
def in_words(trend: dict[str, Any]) -> str:
    """Direction of a trend in words, and how certain it is."""
    window = f"the last {trend['window_months']} months"
    if trend["direction"] == "insufficient_data":
        return f"There are too few reviews in {window} to tell where things are going."
    chance = "p < 0.001" if trend["p_value"] < 0.001 else f"p = {trend['p_value']:.2g}"
    measured = f"{signed(trend['change'])} a year, {chance}, {trend['review_count']} reviews"
    if trend["direction"] == "stable":
        return f"No significant change over {window} ({measured})."
    return f"Sentiment has been {trend['direction']} over {window} ({measured})."
