"""Signals of the published documents."""

from django.dispatch import Signal

# Sent after the commit that stored a new version, with its `path` and `version`. Receivers read the
# document, which may be newer.
document_published = Signal()
