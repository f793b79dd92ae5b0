"""Words by which exports name and say things, in TOML files that are easily added to."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent.parent


def load(name: str) -> dict[str, Any]:
    """The content of a TOML file of this package, like `vocabulary/dates.toml`."""
    return tomllib.loads((_PACKAGE / name).read_text("utf-8"))


def word_sets(name: str, table: str) -> dict[str, frozenset[str]]:
    """The sets of words, with commas in between, that a table of a file has by their keys."""
    return {
        key: frozenset(word.strip() for word in text.split(","))
        for key, text in load(name)[table].items()
    }


MESSAGES = load("vocabulary/messages.toml")


def coded_message(kind: str, key: str, values: Mapping[str, object]) -> tuple[str, str]:
    """The code of a message and its sentence with these values; `kind` is a table of messages."""
    return key.partition("-")[0], MESSAGES[kind][key].format(**values)
