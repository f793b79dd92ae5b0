import socket

import pytest

from tests.conftest import NetworkTouchedError


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("example.com", 80)])
def test_no_test_reaches_another_machine(address):
    with (
        socket.socket() as sock,
        pytest.raises(NetworkTouchedError, match=r"A test tried to connect"),
    ):
        sock.connect(address)


def test_tests_may_use_loopback():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as sock:
        sock.connect(server.getsockname())
        assert sock.getpeername() == server.getsockname()
