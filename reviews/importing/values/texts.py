"""Pure: what reviewers wrote, as people read it."""

import datetime as dt
import html
import re
from typing import Any, Final

from reviews.importing.values.refusals import ValueRefused, shown

TEXT_MAX: Final = 20_000

# NEL (U+0085) is a line break of its own kind and therefore not among the control characters.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
# No text in any encoding: XML 1.0 2.2 forbids these, and UTF-8 cannot carry lone surrogates.
_NO_CHARACTER = re.compile("[\ud800-\udfff\ufffe\uffff]")
_LINE_BREAK = re.compile("\r\n|\r|\x85")
_BR = re.compile(r"<br\s*/?>", re.IGNORECASE)
_PARAGRAPH = re.compile(r"</p>\s*(?=<p[\s>])", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|center|code|dd|div|dl|dt|em|font|h[1-6]|hr|i|iframe|img|ins"
    r"|del|li|mark|ol|p|pre|q|s|script|small|span|strike|strong|style|sub|sup|table|tbody|td|th"
    r"|thead|tr|tt|u|ul)(?:\s[^<>]*)?/?>"
    r"|<!--[^<>]*-->",
    re.IGNORECASE,
)
_HTML_MAX = 10 * TEXT_MAX
# What a spreadsheet saves for a text that it took for a formula, as one that begins with a dash.
_CELL_ERRORS = frozenset(
    {"#N/A", "#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!"}
)


def as_text(value: Any, field: str) -> str:
    """A value of JSON or of a cell as text; objects, lists and truth values are refused."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300:
        return str(value)
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    raise ValueRefused(
        field,
        "wrong_type",
        f"{field}: the file has {_kind(value)} here; a text is expected. Correct the value.",
        value,
    )


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return f"an object ({', '.join(map(shown, [*value][:5]))})"
    return "an unreadable number"


def clean_text(value: Any, field: str) -> str:
    """A text as people read it: line breaks as LF, `<br>` too, entities decoded once, no tags.

    Control characters, more than 20,000 characters and what a spreadsheet saves in place of a text
    are refused.
    """
    text = value if isinstance(value, str) else as_text(value, field)
    # The fast path for nearly every cell: one scan in C.
    if not text.isprintable():
        text = _LINE_BREAK.sub("\n", _checked(text, field))
    if "<" in text or "&" in text:
        if len(text) > _HTML_MAX:
            raise too_long(field, text)
        text = _PARAGRAPH.sub("\n\n", _BR.sub("\n", text))
        text = html.unescape(_TAG.sub("", text))
        # An entity can stand for what the file itself could not hold.
        text = _LINE_BREAK.sub("\n", _checked(text, field))
    text = text.strip()
    if len(text) > TEXT_MAX:
        raise too_long(field, text)
    if text in _CELL_ERRORS:
        raise ValueRefused(
            field,
            "cell_error",
            f"{field}: a spreadsheet saved {text} in place of what was written here. Write it "
            "again, with an apostrophe in front, or clear the cell.",
            text,
        )
    return text


def literal_text(value: Any, field: str) -> str:
    """A text exactly as it stands, for exports whose texts are clean already."""
    text = value if isinstance(value, str) else as_text(value, field)
    if not text.isprintable():
        text = _checked(text, field)
    if len(text) > TEXT_MAX:
        raise too_long(field, text)
    return text


def unpublishable(text: str) -> re.Match[str] | None:
    """What a text holds that no document may carry; None where there is nothing."""
    return _CONTROL.search(text) or _NO_CHARACTER.search(text)


def _checked(text: str, field: str) -> str:
    if found := _CONTROL.search(text):
        raise ValueRefused(
            field,
            "control_character",
            f"{field}: the value holds the control character U+{ord(found[0]):04X}, which no "
            "document may carry. Remove it from the file.",
            text,
        )
    return _NO_CHARACTER.sub("", text)


def too_long(field: str, text: str) -> ValueRefused:
    return ValueRefused(
        field,
        "text_too_long",
        f"{field}: the text has {len(text):,} characters; at most {TEXT_MAX:,} are taken in. "
        "Shorten it.",
        text,
    )


def with_title(title: str, text: str) -> str:
    """The title in front of the text, unless the text begins with it anyway."""
    if not title:
        return text
    if text.startswith(title.rstrip("….").rstrip() or title):
        return text
    return f"{title}\n\n{text}" if text else title
