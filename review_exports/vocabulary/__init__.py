"""Words by which exports name and say things, in TOML files that are easily added to."""

import tomllib
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent.parent


def load(name: str) -> dict[str, Any]:
    """The content of a TOML file of this package, like `vocabulary/months.toml`."""
    return tomllib.loads((_PACKAGE / name).read_text("utf-8"))


def words(text: str) -> tuple[str, ...]:
    """The words of a text with commas in between."""
    return tuple(word.strip() for word in text.split(","))
