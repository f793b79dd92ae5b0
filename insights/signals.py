"""What this app announces to those who build on it."""

from django.dispatch import Signal

# Sent after the commit that brought the insights up to date; carries nothing.
insights_refreshed = Signal()
