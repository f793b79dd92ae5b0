"""Spellings of values, and assertions about refusals."""

import tomllib
from pathlib import Path

import pytest

from review_exports.values import ValueRefused

_SPELLINGS = tomllib.loads((Path(__file__).parent / "spellings.toml").read_text())


def parametrize_spellings(table: str) -> list[tuple[str, int | str]]:
    """Parametrize spellings with their values, or with the code of their refusal."""
    return [
        (spelling, int(meaning) if meaning.isdigit() else meaning)
        for meaning, spellings in _SPELLINGS[table].items()
        for spelling in spellings
    ]


def assert_refused(call, *arguments, **named) -> str:
    with pytest.raises(ValueRefused) as caught:
        call(*arguments, **named)
    assert caught.value.message.endswith(".")
    return caught.value.code
