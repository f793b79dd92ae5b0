"""Signals of this app."""

from django.dispatch import Signal

# Sent once after each commit that raised the revision `reviews`; carries nothing, since a receiver
# compares revisions instead of trusting a message.
reviews_changed = Signal()
