"""Nudges: each works off what is due and may run twice or never."""

from publishing import publisher
from reviews.doorbell import doorbell


@doorbell
def publish_due() -> None:
    publisher.publish_due()
