"""Signals of this app."""

from django.dispatch import Signal

# Sent after the commit that stored a new version, with its `path` and `version`. A receiver
# reads the document itself: by then it may be newer still.
document_published = Signal()
