"""The count of unsent bytes, which is never too low."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from publishing import slow_readers as sizes
from publishing.slow_readers import LARGE_BYTES, UnsentBytes

LIMIT = 100 * LARGE_BYTES
SHARE = 25 * LARGE_BYTES
A, B = {"REMOTE_ADDR": "192.0.2.1"}, {"REMOTE_ADDR": "192.0.2.2"}


@pytest.fixture(autouse=True, scope="module")
def _recount_each_time():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sizes, "RECOUNT_SECONDS", 0)
        yield


def without_recount():
    raise OSError("too many open files")


def unsent_bytes(count_waiting, limit=LIMIT):
    return UnsentBytes(lambda: limit, count_waiting, lambda environ: environ["REMOTE_ADDR"])


@given(st.lists(st.one_of(st.integers(1, 60 * LARGE_BYTES), st.none())))
def test_unsent_bytes_stay_within_limit(steps):
    """Numbers are sizes of responses. None ends the oldest."""
    waiting = []
    slow_readers = unsent_bytes(lambda: len(waiting))
    for number, step in enumerate(steps):
        if step is None:
            del waiting[:1]
        elif slow_readers.admit(step, {"REMOTE_ADDR": str(number)}) and step > LARGE_BYTES:
            waiting.append(step)
        assert len(waiting) <= 1 or sum(waiting) <= LIMIT


def test_response_over_limit_is_admitted_alone():
    slow_readers = unsent_bytes(lambda: 1)

    assert slow_readers.admit(LIMIT + 1, A)
    assert not slow_readers.has_room(LIMIT + 1, B)
    assert not slow_readers.admit(LIMIT + 1, B)


def test_small_responses_are_always_admitted():
    slow_readers = unsent_bytes(without_recount, limit=0)
    slow_readers.admit(LIMIT, A)

    assert slow_readers.admit(LARGE_BYTES, A)


def test_client_that_reads_nothing_is_limited_to_a_quarter():
    held = []
    slow_readers = unsent_bytes(lambda: len(held))
    answer = SHARE // 3
    for _ in range(20):
        held += [answer] * slow_readers.admit(answer, A)
        # Another client reads each response before it requests the next.
        assert slow_readers.admit(answer, B)

    assert len(held) == 3
