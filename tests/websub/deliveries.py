"""Deliveries in steps."""

from django.utils import timezone

from tests.websub.conftest import FEED
from websub.claims import FIRST, SLOW, claim
from websub.delivery import deliver
from websub.editions import read_edition


def deliver_all() -> int:
    return deliver(FIRST).settled + deliver(SLOW).settled


def claimed(speed=FIRST, topic=FEED, limit=10):
    return claim(read_edition(topic), speed, limit, timezone.now())
