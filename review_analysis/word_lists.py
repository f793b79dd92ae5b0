"""Word lists and tables of the rules, kept as data in `words.toml` of each folder."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any


def tables(module_file: str) -> Mapping[str, Any]:
    """The module's table in `words.toml` of its folder."""
    path = Path(module_file)
    found: Mapping[str, Any] = _read(path.with_name("words.toml"))[path.stem]
    return found


def word_lists(module_file: str) -> Mapping[str, frozenset[str]]:
    """The lists of that table, by name."""
    return {
        name: words(value) for name, value in tables(module_file).items() if isinstance(value, str)
    }


def words(text: str) -> frozenset[str]:
    """Words that blanks part."""
    return frozenset(text.split())


@cache
def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))
