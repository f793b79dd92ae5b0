"""Vocabulary of headings and values in TOML files, and messages."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent.parent


def load(name: str) -> dict[str, Any]:
    """Load a TOML file of this package, such as `vocabulary/dates.toml`."""
    return tomllib.loads((_PACKAGE / name).read_text("utf-8"))


def word_sets(name: str, table: str) -> dict[str, frozenset[str]]:
    """Map the keys of a TOML table to sets of comma-separated words."""
    return {
        key: frozenset(word.strip() for word in text.split(","))
        for key, text in load(name)[table].items()
    }


MESSAGES = load("vocabulary/messages.toml")


def coded_message(kind: str, key: str, values: Mapping[str, object]) -> tuple[str, str]:
    """Return the code and the text of a message; `kind` is its table in `messages.toml`."""
    return key.partition("-")[0], MESSAGES[kind][key].format(**values)
