"""Word lists and tables of the rules, from the file `words.toml` of each folder."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any


def tables(module_file: str) -> Mapping[str, Any]:
    """Return the table of a module in `words.toml`."""
    path = Path(module_file)
    found: Mapping[str, Any] = _read(path.with_name("words.toml"))[path.stem]
    return found


def word_lists(module_file: str) -> Mapping[str, frozenset[str]]:
    """Return the word lists of a module. `@name` in a list includes another list."""
    texts = {name: text for name, text in tables(module_file).items() if isinstance(text, str)}

    def expanded(text: str) -> frozenset[str]:
        parts = (expanded(texts[w[1:]]) if w[0] == "@" else {w} for w in text.split())
        return frozenset().union(*parts)

    return {name: expanded(text) for name, text in texts.items()}


@cache
def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))
