"""A WebSub subscriber; `websub.subscriber.services` has `subscribe`, `unsubscribe` and `renew`."""

from django.dispatch import Signal

# Sent with `subscription`, `body` and `content_type`. If a receiver raises, the hub retries.
content_received = Signal()
