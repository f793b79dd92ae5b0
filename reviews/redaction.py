"""Tell a redaction, which replaces words by [...] alone, from a rewriting."""

import re

MARKERS = ("[...]", "[…]")
# Scripts without spaces between words are compared letter by letter.
_LETTER = r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_TOKEN = re.compile(rf"\[(?:\.\.\.|…)\]|{_LETTER}|(?:(?!{_LETTER})\w)+|[^\w\s]")


def tokens_of(text: str) -> list[str]:
    """Words, marks and markers of a text; white space separates and is none."""
    return _TOKEN.findall(text)


def is_redaction(before: str, after: str) -> bool:
    """Whether `after` is `before` with whole words replaced by `[...]`, and nothing else."""
    old, pieces = tokens_of(before), _pieces(tokens_of(after))
    if len(pieces) < 2:
        return False
    first, *middle, last = pieces
    end = len(old) - len(last)
    if old[: len(first)] != first or old[max(end, 0) :] != last:
        return False
    position = len(first)
    for piece in middle:
        # Each marker stands for one word at least, hence the step before the search.
        found = _find(old, piece, position + 1, end)
        if found is None:
            return False
        position = found + len(piece)
    return position + 1 <= end


def _pieces(tokens: list[str]) -> list[list[str]]:
    """What stands before, between and after the markers."""
    pieces: list[list[str]] = [[]]
    for token in tokens:
        if token in MARKERS:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return pieces


def _find(tokens: list[str], piece: list[str], start: int, end: int) -> int | None:
    """The first place of `piece` between `start` and `end`."""
    for place in range(start, end - len(piece) + 1):
        if tokens[place : place + len(piece)] == piece:
            return place
    return None
