"""Spellings of values, and assertions about refused ones."""

import tomllib
from pathlib import Path

import pytest

from review_exports.values import ValueRefused

_SPELLINGS = tomllib.loads((Path(__file__).parent / "spellings.toml").read_text())


def spelt(table: str) -> list[tuple[str, int | str]]:
    """Spellings with what they are read as, or with the code of their refusal."""
    return [
        (spelling, int(meaning) if meaning.isdigit() else meaning)
        for meaning, spellings in _SPELLINGS[table].items()
        for spelling in spellings
    ]


def refused(call, *arguments, **named) -> str:
    with pytest.raises(ValueRefused) as caught:
        call(*arguments, **named)
    assert caught.value.message.endswith(".")
    return caught.value.code
