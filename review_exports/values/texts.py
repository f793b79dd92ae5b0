"""Texts of reviews as people read them, and Google's markers of translations."""

import datetime as dt
import html
import re
from html.entities import html5
from typing import Any, Final, NamedTuple

from review_exports.values import ValueRefused, shown, value_refused
from review_exports.values.characters import compose
from review_exports.vocabulary import load

TEXT_MAX: Final = 20_000

# NEL (U+0085) is a line break, and therefore not among the control characters.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
# XML 1.0 2.2 forbids these characters, and UTF-8 cannot encode lone surrogates.
_NO_CHARACTER = re.compile("[\ud800-\udfff\ufffe\uffff]")
_LINE_BREAK = re.compile("\r\n|\r|\x85")
# Block elements are on lines of their own, with blank lines around paragraphs (HTML 3.2.7).
_LINES = (
    "article|aside|blockquote|caption|center|dd|div|dl|dt|figcaption|figure|footer|h[1-6]|header"
    "|hr|li|ol|pre|section|table|tbody|tfoot|thead|tr|ul"
)
_INLINE = (
    "a|abbr|b|big|code|del|em|font|i|iframe|img|ins|mark|q|s|script|small|span|strike|strong|style"
    "|sub|sup|tt|u"
)
_ATTRIBUTES = r"(?:\s[^<>]*)?/?"
_TAG = re.compile(
    rf"(?P<break><br{_ATTRIBUTES}>[ \t]*\n?)"
    rf"|</?(?:(?P<paragraph>p)|(?P<line>{_LINES})|(?P<cell>t[dh])|(?:{_INLINE}))"
    rf"{_ATTRIBUTES}>"
    r"|<!--[^<>]*-->",
    re.IGNORECASE,
)
# Control characters that replace the tags temporarily; texts with such characters are refused.
_BREAK, _LINE, _PARAGRAPH, _CELL = "\x01", "\x02", "\x03", "\x04"
_SIGNS = {"break": _BREAK, "line": _LINE, "paragraph": _PARAGRAPH, "cell": _CELL}
_BOUNDARY = re.compile(r"([\x01-\x04][\x01-\x04 \t\n]*)")
_CELLS = re.compile(f"{_CELL}+")
_ENTITY = re.compile("&(?:#[0-9]+|#x[0-9a-f]+|[a-z][a-z0-9]*);", re.IGNORECASE)
_HTML_MAX = 10 * TEXT_MAX
# Errors that a spreadsheet saves for a text that it took for a formula, like one starting with "-".
_CELL_ERRORS = frozenset(
    {"#N/A", "#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!"}
)


def as_text(value: Any, field: str) -> str:
    """Convert a JSON value or a cell to text; refuse objects, lists and booleans."""
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
    raise value_refused("wrong_type", field, value, kind=_kind(value))


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return f"an object ({', '.join(map(shown, [*value][:5]))})"
    return "an unreadable number"


def clean_text(value: Any, field: str) -> str:
    """Clean a text: NFC, line breaks as LF, entities decoded once, no tags.

    `<br>` and block elements like `<li>` and `<div>` become line breaks. Raises `ValueRefused` for
    control characters, more than 20,000 characters, and error values of spreadsheets.
    """
    text = value if isinstance(value, str) else as_text(value, field)
    # The fast path for most cells: one scan in C.
    if not text.isprintable():
        text = _LINE_BREAK.sub("\n", _checked(text, field))
    if "<" in text or "&" in text:
        if len(text) > _HTML_MAX:
            raise too_long(field, text)
        # `?a=1&copy=2` lacks the semicolon of an entity.
        text = _ENTITY.sub(_decoded, _without_tags(text) if "<" in text else text)
        # Entities may stand for control characters.
        text = _LINE_BREAK.sub("\n", _checked(text, field))
    text = text.strip()
    if not text.isascii():
        text = compose(text)
    if len(text) > TEXT_MAX:
        raise too_long(field, text)
    if text in _CELL_ERRORS:
        raise value_refused("cell_error", field, text, text=text)
    return text


def _without_tags(text: str) -> str:
    """Replace tags by the line breaks and spaces that they cause."""
    marked = _TAG.sub(lambda tag: _SIGNS.get(tag.lastgroup or "", ""), text)
    first, *others = _BOUNDARY.split(marked)
    parts = [first]
    for run, part in zip(others[::2], others[1::2], strict=True):
        if _LINE in run or _PARAGRAPH in run:
            parts[-1] = parts[-1].rstrip(" \t\n")
        parts += (_line_breaks(run), part)
    return "".join(parts)


def _line_breaks(run: str) -> str:
    """Line breaks for a run of tags and white space."""
    if _PARAGRAPH in run:
        return "\n\n"
    if _LINE in run:
        # A `<br>` at the end of a block adds no second break.
        return "\n" * (run.count(_BREAK) + (run[0] != _BREAK))
    return _CELLS.sub(" ", run).replace(_BREAK, "\n")


def _decoded(entity: re.Match[str]) -> str:
    is_numeric = entity[0][1] == "#"
    return html.unescape(entity[0]) if is_numeric else html5.get(entity[0][1:], entity[0])


def literal_text(value: Any, field: str) -> str:
    """Return a text unchanged, for exports whose texts are clean already."""
    text = value if isinstance(value, str) else as_text(value, field)
    if not text.isprintable():
        text = _checked(text, field)
    if len(text) > TEXT_MAX:
        raise too_long(field, text)
    return text


def unpublishable(text: str) -> re.Match[str] | None:
    """Find the first character that no document may hold."""
    return _CONTROL.search(text) or _NO_CHARACTER.search(text)


def _checked(text: str, field: str) -> str:
    if found := _CONTROL.search(text):
        raise value_refused("control_character", field, text, code_point=ord(found[0]))
    return _NO_CHARACTER.sub("", text)


def too_long(field: str, text: str) -> ValueRefused:
    return value_refused("text_too_long", field, text, length=len(text), most=TEXT_MAX)


def with_title(title: str, text: str) -> str:
    """Put the title before the text, unless the text already begins with it."""
    if not title:
        return text
    stem = title.rstrip("….").rstrip() or title
    # "Crash" is no beginning of "Crashes on open", but a shortened title "Cra…" is.
    if text.startswith(stem) and (stem != title or not text[len(stem) : len(stem) + 1].isalnum()):
        return text
    return f"{title}\n\n{text}" if text else title


class Translation(NamedTuple):
    text: str
    translated: str
    is_translation_only: bool


_MARKER, _ORIGINAL = (
    re.compile(rf"\((?:{'|'.join(words)})\)", re.IGNORECASE)
    for words in load("vocabulary/translations.toml").values()
)


def split_translation(text: str) -> Translation:
    """Split a text with Google's markers into original and translation, in either order.

    If the original is missing, `text` is the translation and `is_translation_only` is true.
    """
    # A quick check, since most texts have no marker.
    marker = _MARKER.search(text) if "oogle)" in text else None
    if not marker:
        return Translation(text, "", is_translation_only=False)
    before, after = text[: marker.start()].strip(), text[marker.end() :].strip()
    if before:
        return Translation(before, after, is_translation_only=False)
    sign = _ORIGINAL.search(after)
    translated = (after[: sign.start()] if sign else after).strip()
    original = after[sign.end() :].strip() if sign else ""
    if original:
        return Translation(original, translated, is_translation_only=False)
    return Translation(translated, "", is_translation_only=True)
