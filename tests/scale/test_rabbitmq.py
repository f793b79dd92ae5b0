"""RabbitMQ instead of Redis as the broker."""

import time

import pytest

from tests.scale.conftest import run_site
from tools.chaos.processes import wait_for

pytestmark = pytest.mark.scale

SUBSCRIBERS = 200


@pytest.fixture(scope="module")
def site():
    with run_site("rabbitmq") as site:
        yield site


def test_change_is_delivered_once_before_and_after_broker_is_killed(site):
    crowd = site.enrol("rabbitmq", healthy=SUBSCRIBERS)
    broker = site.installation.rabbitmq

    for is_killed in (False, True):
        if is_killed:
            broker.process.kill()
            broker.start()
        edit = site.edit()
        wait_for(
            f"Edit {edit} at all subscribers",
            lambda edit=edit: site.sink.satisfied(crowd, edit) == len(crowd),
            60,
        )
    time.sleep(2)

    assert set(map(site.sink.acknowledged, crowd)) == {2}
