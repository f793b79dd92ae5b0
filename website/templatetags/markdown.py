"""Filters of `llms.txt` that escape texts, so that they contain no Markdown or HTML.

They cover CommonMark 0.31 and the tables, strikethrough and links of GitHub. A backslash may escape
any ASCII punctuation.
"""

import re

from django import template

register = template.Library()

# Inline marks, entities, and links and formulas of Markdown extensions.
_MARKS = re.compile(r"[\\`*_{}\[\]<>#|~&$]|(?<=[A-Za-z]):(?=//)|(?<=www)\.", re.IGNORECASE)
_NUMBER = re.compile(r"^(\d{1,9})([.)])", re.ASCII)  # Of an ordered list.
# Control characters, bidirectional overrides, and Unicode tags.
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)


@register.filter
def markdown_text(text: object) -> str:
    """Escape a text and put it on one line."""
    return _escape(" ".join(_INVISIBLE.sub("", str(text)).split()))


@register.filter
def markdown_quote(text: str) -> str:
    """Escape a text and format it as a block quote, line by line."""
    lines = [" ".join(line.split()) for line in _INVISIBLE.sub("", text).splitlines()]
    return "\n".join(f"> {_escape(line)}".rstrip() for line in lines)


def _escape(line: str) -> str:
    line = _MARKS.sub(r"\\\g<0>", line)
    if line[:1] in {"-", "+", "=", ":"}:  # Lists, rules, underlines of headings.
        return f"\\{line}"
    return _NUMBER.sub(r"\1\\\2", line)
