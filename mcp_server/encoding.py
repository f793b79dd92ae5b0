"""JSON encoding, with orjson if it is installed."""

import dataclasses
import datetime as dt
import json
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from django.utils.functional import Promise

try:
    import orjson
except ImportError:
    orjson = None  # type: ignore[assignment]


class JsonText:
    """Encoded JSON, which is inserted into an answer unchanged."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class NoJsonForm(TypeError):
    """A value that cannot be encoded; the message names it."""


def dumps(value: Any, *, with_any_keys: bool = False) -> bytes:
    """Encode a value as JSON in UTF-8 without white space. Raises `NoJsonForm`."""
    try:
        if orjson:
            option = orjson.OPT_NON_STR_KEYS if with_any_keys else None
            return orjson.dumps(value, default=_default, option=option)
        text = json.dumps(
            value, default=_default, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
        return text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise NoJsonForm(str(error.__cause__ or error)) from error


def _default(value: Any) -> Any:
    """Convert a value to types that both encoders support."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    for kind, convert in _CONVERSIONS.items():
        if isinstance(value, kind) and not isinstance(value, bytes | bytearray | memoryview):
            return convert(value)
    raise NoJsonForm(f"a value of type {type(value).__qualname__}")


def _decimal(value: Decimal) -> str:
    if not value.is_finite():
        raise NoJsonForm(f"the decimal number {value}")
    return format(value, "f")


# The first matching type applies.
_CONVERSIONS: Mapping[type, Callable[[Any], Any]] = {
    JsonText: lambda value: orjson.Fragment(value.text) if orjson else json.loads(value.text),
    Decimal: _decimal,
    dt.date: lambda value: value.isoformat(),
    dt.time: lambda value: value.isoformat(),
    Enum: lambda value: value.value,
    UUID: str,
    Promise: str,
    Mapping: dict,
    Iterable: list,
}
