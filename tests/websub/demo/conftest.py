"""A demo subscriber on a port of this machine."""

import contextlib

import pytest

from tests.websub.demo.talking import TOPIC, connect
from websub import demo_certificates
from websub.demo_certificates import make_certificate
from websub.demo_subscriber import Listener, Subscriber


@pytest.fixture
def said():
    return []


@pytest.fixture
def subscriber(said):
    subscriber = Subscriber(TOPIC, "shared secret", said.append, wanted="subscribe")
    subscriber.answered.set()
    return subscriber


@pytest.fixture
def listener(subscriber, tmp_path):
    listener = Listener(subscriber, make_certificate(tmp_path).certificate, 0)
    listener.start()
    yield listener
    listener.shutdown()
    listener.server_close()


@pytest.fixture
def connection(listener, tmp_path):
    with contextlib.closing(
        connect(listener.server_port, tmp_path / demo_certificates.AUTHORITY)
    ) as connection:
        yield connection
