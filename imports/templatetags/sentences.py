"""Translation of messages that are stored in English."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter

from django import template
from django.apps import apps
from django.utils.translation import gettext

from review_exports.vocabulary import MESSAGES

register = template.Library()
# Placeholders whose values are translated as well.
WORDS = frozenset({"things"})


@register.filter
def translated(text: str) -> str:
    """Translate a text of one or several messages into the active language.

    Messages are stored as formatted text, so the template and the values are found by matching
    patterns. A text that matches none is returned unchanged unless it has a translation itself.
    """
    for message, pattern in _patterns():
        if found := pattern.fullmatch(text):
            *values, rest = found.groups()
            first = _filled(gettext(message), dict(zip(_names(message), values, strict=True)))
            return f"{first} {translated(rest)}" if rest else first
    return gettext(text) if text else ""


def _filled(message: str, values: Mapping[str, str]) -> str:
    """Fill a message with values that are formatted already."""
    filled = ""
    for literal, name, _, _ in Formatter().parse(message):
        value = values.get(name or "", "")
        filled += literal + (translated(value) if name in WORDS else value)
    return filled


def _names(message: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(message) if name]


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Messages with the patterns of their texts, the longest first."""
    texts = sorted(messages(), key=lambda text: -len(re.sub(r"\{.*?\}", "", text)))
    return [(message, _pattern(message)) for message in texts]


def messages() -> Iterator[str]:
    """Yield the messages of `review_exports`, and of each app's `messages.toml`."""
    tables = [*MESSAGES.values()]
    for app in apps.get_app_configs():
        if (path := Path(app.path, "messages.toml")).exists():
            tables.extend(tomllib.loads(path.read_text(encoding="utf-8")).values())
    return (message for table in tables for message in table.values())


def _pattern(message: str) -> re.Pattern[str]:
    parts = [
        re.escape(literal) + ("(.*?)" if name else "")
        for literal, name, _, _ in Formatter().parse(message)
    ]
    return re.compile(f"{''.join(parts)}(?: (.+))?", re.DOTALL)
