"""A WebSub subscriber; `websub.subscriber.services` has `subscribe`, `unsubscribe` and `renew`."""

from django.dispatch import Signal

# Sent with `subscription`, `body` and `content_type`; after an exception the hub sends them again.
content_received = Signal()
