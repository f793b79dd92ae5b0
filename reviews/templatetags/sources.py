"""Template filters that name a source and draw stars."""

from django import template

from reviews.sites import source_name
from reviews.stars import drawn_stars

register = template.Library()
register.filter(source_name)
register.filter(drawn_stars)
