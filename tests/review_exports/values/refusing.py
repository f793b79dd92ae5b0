"""Assertions about refused values."""

import pytest

from review_exports.values import ValueRefused


def refused(call, *arguments, **named) -> str:
    with pytest.raises(ValueRefused) as caught:
        call(*arguments, **named)
    assert caught.value.message.endswith(".")
    return caught.value.code
