"""The count of bytes that wait is never below those that do wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from publishing import unsent as sizes
from publishing.unsent import LARGE_BYTES, UnsentBytes

LIMIT = 100 * LARGE_BYTES


@pytest.fixture(autouse=True, scope="module")
def _recount_each_time():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sizes, "RECOUNT_SECONDS", 0)
        yield


def never_recounted():
    raise OSError("too many open files")


@given(st.lists(st.one_of(st.integers(1, 60 * LARGE_BYTES), st.none())))
def test_bytes_that_wait_stay_within_the_limit(steps):
    """Numbers are answers, None is the oldest reader, done."""
    waiting = []
    unsent = UnsentBytes(lambda: LIMIT, lambda: len(waiting))
    for step in steps:
        if step is None:
            del waiting[:1]
        elif unsent.admit(step) and step > LARGE_BYTES:
            waiting.append(step)
        assert len(waiting) <= 1 or sum(waiting) <= LIMIT


def test_answer_beyond_the_limit_is_admitted_alone():
    unsent = UnsentBytes(lambda: LIMIT, lambda: 1)

    assert unsent.admit(LIMIT + 1)
    assert not unsent.has_room(LIMIT + 1)
    assert not unsent.admit(LIMIT + 1)


def test_small_answers_are_always_admitted():
    unsent = UnsentBytes(lambda: 0, never_recounted)
    unsent.admit(LIMIT)

    assert unsent.admit(LARGE_BYTES)


def test_connections_that_cannot_be_counted_are_taken_to_wait():
    unsent = UnsentBytes(lambda: LIMIT, never_recounted)
    unsent.admit(LIMIT)

    assert not unsent.admit(LARGE_BYTES + 1)
