"""The filter that names a source."""

from django import template

from reviews.sites import source_name

register = template.Library()
register.filter(source_name)
