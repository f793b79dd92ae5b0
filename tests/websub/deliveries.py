"""Deliveries in steps."""

from django.utils import timezone

from tests.websub.conftest import FEED
from websub.claims import FAST, SLOW, claim
from websub.content import load_content
from websub.delivery import deliver


def deliver_all() -> int:
    return deliver(FAST).settled + deliver(SLOW).settled


def claimed(speed=FAST, topic=FEED, limit=10):
    return claim(load_content(topic), speed, limit, timezone.now())
