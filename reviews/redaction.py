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
    old, fragments = tokens_of(before), _fragments(tokens_of(after))
    if len(fragments) < 2:
        return False
    first, *middle, last = fragments
    end = len(old) - len(last)
    if old[: len(first)] != first or old[max(end, 0) :] != last:
        return False
    position = len(first)
    for fragment in middle:
        # Each marker stands for one word at least, hence the step before the search.
        found = _find(old, fragment, position + 1, end)
        if found is None:
            return False
        position = found + len(fragment)
    return position + 1 <= end


def _fragments(tokens: list[str]) -> list[list[str]]:
    """Fragments before, between and after the markers."""
    fragments: list[list[str]] = [[]]
    for token in tokens:
        if token in MARKERS:
            fragments.append([])
        else:
            fragments[-1].append(token)
    return fragments


def _find(tokens: list[str], fragment: list[str], start: int, end: int) -> int | None:
    """The first place of `fragment` between `start` and `end`."""
    for place in range(start, end - len(fragment) + 1):
        if tokens[place : place + len(fragment)] == fragment:
            return place
    return None
