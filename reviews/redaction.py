"""Distinguish a redaction, which only replaces words by [...], from a rewritten text."""

import re

MARKERS = ("[...]", "[…]")
_MARKER = r"\[(?:\.\.\.|…)\]"
# Scripts without spaces between words: each letter is a token.
_LETTER = r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_TOKEN = re.compile(rf"{_MARKER}|{_LETTER}|(?:(?!{_LETTER})\w)+|[^\w\s]")
_WORDS = r"(?:[^ ]+ )+"  # What a marker replaces: at least one word.


def tokens_of(text: str) -> list[str]:
    """Words, punctuation and markers of a text."""
    return _TOKEN.findall(text)


def is_redaction(before: str, after: str) -> bool:
    """Whether `after` is `before` with whole words replaced by `[...]`."""
    old, new = ("".join(f"{token} " for token in tokens_of(text)) for text in (before, after))
    first, *others = map(re.escape, re.split(f"{_MARKER} ", new))
    if not others:
        return False
    *middle, last = others
    # Atomic groups: each part matches where it occurs first, without backtracking.
    parts = "".join(f"(?>{_WORDS}?{part})" for part in middle)
    return re.fullmatch(f"{first}{parts}{_WORDS}{last}", old) is not None
