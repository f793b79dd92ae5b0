"""Sentences that are stored in English, in the language of the page."""

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
# Placeholders that hold words of the library rather than of a file.
WORDS = frozenset({"things"})


@register.filter
def translated(text: str) -> str:
    """The text, of one message or several, in the active language; any other text as it is.

    A sentence crosses processes and is stored without its message and values: these are found by
    comparing it with each message.
    """
    for message, pattern in _patterns():
        if found := pattern.fullmatch(text):
            *values, rest = found.groups()
            said = _filled(gettext(message), dict(zip(_names(message), values, strict=True)))
            return f"{said} {translated(rest)}" if rest else said
    return gettext(text) if text else ""


def _filled(message: str, values: Mapping[str, str]) -> str:
    """The message with values that are formatted already."""
    filled = ""
    for literal, name, _, _ in Formatter().parse(message):
        value = values.get(name or "", "")
        filled += literal + (translated(value) if name in WORDS else value)
    return filled


def _names(message: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(message) if name]


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Each message with the pattern of its sentence, those of most words first."""
    texts = sorted(messages(), key=lambda text: -len(re.sub(r"\{.*?\}", "", text)))
    return [(message, _pattern(message)) for message in texts]


def messages() -> Iterator[str]:
    """Messages of `review_exports`, and of the file `messages.toml` of each app."""
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
