"""Claims and deliveries step by step."""

from tests.websub.conftest import FEED
from websub.claims import FAST, SLOW, claim
from websub.delivery import deliver
from websub.topics import load_content


def deliver_all() -> int:
    return deliver(FAST).processed + deliver(SLOW).processed


def claimed(config=FAST, topic=FEED, limit=10):
    return claim(load_content(topic), config, limit)
