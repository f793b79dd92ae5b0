"""Signals of this app."""

from django.dispatch import Signal

# Sent after the commit that brought the insights up to date; carries nothing.
insights_refreshed = Signal()
