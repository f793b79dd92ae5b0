"""The queue of sign-ins: waits for the one password that is hashed, and refusals."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from core.http.request_body import BodyReadLimiter, TooManyBodies
from sign_in import queue
from sign_in.queue import SignInQueue
from tests.waiting import eventually

KNOWN = {"198.51.100.1", "198.51.100.2"}


@pytest.fixture(autouse=True)
def known_networks(monkeypatch):
    """Networks from which somebody has signed in, without a database."""
    monkeypatch.setattr(queue, "is_known_network", KNOWN.__contains__)


@pytest.fixture
def places():
    return BodyReadLimiter(3)


@pytest.fixture
def sign_ins(places):
    return SignInQueue(BodyReadLimiter(2, within=places), places, seconds=60)


@pytest.fixture
def pool():
    with ThreadPoolExecutor() as pool:
        yield pool


def take(sign_ins, network):
    with sign_ins.place(network):
        return network


def waiting(sign_ins, pool, network):
    """A sign-in of the network that has the place to wait, in a thread of its own."""
    before = sign_ins._waiting
    future = pool.submit(take, sign_ins, network)
    eventually(lambda: future.done() or sign_ins._waiting not in {None, before})
    return future


def test_sign_in_waits_for_the_one_before(sign_ins, pool):
    with sign_ins.place("192.0.2.1"):
        second = waiting(sign_ins, pool, "192.0.2.2")
        assert not second.done()

    assert second.result() == "192.0.2.2"


@pytest.mark.parametrize(
    ("first", "second", "third"),
    [
        ("192.0.2.1", "192.0.2.1", "192.0.2.3"),  # One network does not hold both places.
        ("192.0.2.1", "192.0.2.2", "198.51.100.1"),  # A known network goes before.
        ("192.0.2.1", "192.0.2.1", "198.51.100.1"),
        ("198.51.100.1", "192.0.2.2", "198.51.100.1"),
        ("198.51.100.1", "198.51.100.1", "198.51.100.2"),
    ],
)
def test_sign_in_with_more_right_takes_the_place_to_wait(sign_ins, pool, first, second, third):
    with sign_ins.place(first):
        displaced = waiting(sign_ins, pool, second)
        last = waiting(sign_ins, pool, third)
        with pytest.raises(TooManyBodies):
            displaced.result()

    assert last.result() == third


@pytest.mark.parametrize(
    ("first", "second", "third"),
    [
        ("192.0.2.1", "192.0.2.2", "192.0.2.1"),
        ("192.0.2.1", "198.51.100.1", "192.0.2.3"),
        ("192.0.2.1", "198.51.100.1", "198.51.100.2"),
        ("198.51.100.1", "198.51.100.2", "192.0.2.3"),
    ],
)
def test_sign_in_with_no_more_right_leaves_the_place_to_wait(sign_ins, pool, first, second, third):
    with sign_ins.place(first):
        kept = waiting(sign_ins, pool, second)
        with pytest.raises(TooManyBodies):
            take(sign_ins, third)

    assert kept.result() == second


def test_sign_in_leaves_its_thread_to_readers_where_the_others_are_stuck(sign_ins, places, pool):
    with sign_ins.place("192.0.2.1"), ExitStack() as stack:
        second = waiting(sign_ins, pool, "192.0.2.2")
        for _ in range(2):  # Changes that wait for another, like those of an import.
            thread = stack.enter_context(ThreadPoolExecutor(1))
            thread.submit(places.__enter__).result()
            stack.callback(thread.submit, places.__exit__)

        with pytest.raises(TooManyBodies):
            second.result(timeout=30)
