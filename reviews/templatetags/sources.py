"""The filters that name a source and draw stars."""

from django import template

from reviews.sites import source_name
from reviews.stars import STARS

register = template.Library()
register.filter(source_name)


@register.filter
def drawn_stars(rating: int) -> str:
    """Stars of a rating as characters, like ★★★☆☆."""
    return "★" * rating + "☆" * (len(STARS) - rating)
