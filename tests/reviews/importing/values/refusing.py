"""What is said of a value that is refused."""

import pytest

from reviews.importing.values.refusals import ValueRefused


def refused(call, *arguments, **named) -> str:
    with pytest.raises(ValueRefused) as caught:
        call(*arguments, **named)
    assert caught.value.message.endswith(".")
    return caught.value.code
