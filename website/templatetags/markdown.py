"""Filters of `llms.txt`: texts of reviews as text, never as Markdown or HTML.

CommonMark 0.31 and the tables, strikethrough and links of GitHub's dialect; any punctuation of
ASCII may stand behind a backslash.
"""

import re

from django import template

register = template.Library()

# Marks inside a line, `&` of entities, and what dialects make links and formulas of.
_MARKS = re.compile(r"[\\`*_{}\[\]<>#|~&$]|(?<=[A-Za-z]):(?=//)|(?<=www)\.", re.IGNORECASE)
_NUMBER = re.compile(r"^(\d{1,9})([.)])", re.ASCII)  # Of a list.
# Invisible: controls, the order of writing turned round, and the tags of Unicode.
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)


@register.filter
def markdown_text(text: object) -> str:
    """The text on one line, in which nothing is Markdown."""
    return _escape(" ".join(_INVISIBLE.sub("", str(text)).split()))


@register.filter
def markdown_quote(text: str) -> str:
    """The text as a block quote, its lines kept, in which nothing is Markdown."""
    lines = [" ".join(line.split()) for line in _INVISIBLE.sub("", text).splitlines()]
    return "\n".join(f"> {_escape(line)}".rstrip() for line in lines)


def _escape(line: str) -> str:
    line = _MARKS.sub(r"\\\g<0>", line)
    if line[:1] in {"-", "+", "=", ":"}:  # A list, a rule, the underline of a heading.
        return f"\\{line}"
    return _NUMBER.sub(r"\1\\\2", line)
