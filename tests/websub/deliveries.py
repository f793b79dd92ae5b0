"""Claim and deliver step by step."""

from tests.websub.conftest import FEED
from websub.claims import FAST, SLOW, Claimer
from websub.delivery import deliver
from websub.topics import load_content


def deliver_all() -> int:
    return deliver(FAST).processed + deliver(SLOW).processed


def claimed(config=FAST, topic=FEED, limit=10):
    return Claimer(config).claim_for(load_content(topic), limit)
