"""Tell a redaction, which replaces words by [...] alone, from a rewriting."""

import re

MARKERS = ("[...]", "[…]")
_MARKER = r"\[(?:\.\.\.|…)\]"
# Scripts without spaces between words are compared letter by letter.
_LETTER = r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_TOKEN = re.compile(rf"{_MARKER}|{_LETTER}|(?:(?!{_LETTER})\w)+|[^\w\s]")
_WORDS = r"(?:[^ ]+ )+"  # One at least, which a marker stands for.


def tokens_of(text: str) -> list[str]:
    """Words, marks and markers of a text; white space separates and is none."""
    return _TOKEN.findall(text)


def is_redaction(before: str, after: str) -> bool:
    """Whether `after` is `before` with whole words replaced by `[...]`, and nothing else."""
    old, new = ("".join(f"{token} " for token in tokens_of(text)) for text in (before, after))
    first, *others = map(re.escape, re.split(f"{_MARKER} ", new))
    if not others:
        return False
    *middle, last = others
    # Each part is taken where it comes first, and never looked for again.
    parts = "".join(f"(?>{_WORDS}?{part})" for part in middle)
    return re.fullmatch(f"{first}{parts}{_WORDS}{last}", old) is not None
