"""Nouns that opinion words refer to: "great food", "the food was great", "loved the food"."""

from review_analysis.segments import VERBS, Words

PRONOUN, UNKNOWN = -1, -2  # Results instead of the index of a noun.

_BEFORE_NOUN = frozenset("AJ&,")
_FAR = 3  # Maximum number of words between an adjective and its noun.
_BEFORE_OBJECT = frozenset("DAJ")
_ABOUT = frozenset("with of about".split())
_BEFORE_SUBJECT = frozenset("&B,WJDA")


def find_head(words: Words, index: int) -> int:
    """Return the last word of the noun judged at `index`, or `PRONOUN` or `UNKNOWN`."""
    tags = words.tags
    low, high = words.clause_bounds(index)
    tag = tags[index]
    ahead = index + 1
    if tag in {"A", "V"}:
        while ahead <= high and tags[ahead] in _BEFORE_NOUN and ahead - index <= _FAR:
            ahead += 1
        if tag == "V":
            ahead = _skip(tags, ahead, high, _BEFORE_OBJECT)
    elif tag == "n" and ahead <= high and words.words[ahead] in _ABOUT:
        ahead = _skip(tags, ahead + 1, high, _BEFORE_OBJECT)
    elif tag != "n":
        return _subject(tags, low, index)
    if ahead <= high and tags[ahead] == "n":
        return end_of_noun(words, ahead)
    return _subject(tags, low, index)


def end_of_noun(words: Words, index: int) -> int:
    """Return the last noun of a sequence that begins at `index`."""
    tags = words.tags
    while index + 1 < len(tags) and tags[index + 1] == "n":
        index += 1
    return index


def _skip(tags: list[str], index: int, high: int, skipped: frozenset[str]) -> int:
    while index <= high and tags[index] in skipped:
        index += 1
    return index


def _subject(tags: list[str], low: int, index: int) -> int:
    """Return the first noun of a clause, if a verb precedes the word at `index`."""
    verb = index - 1
    while verb >= low and tags[verb] not in VERBS:
        verb -= 1
    if verb < low:
        return index if tags[index] == "n" else UNKNOWN
    first = _skip(tags, low, verb - 1, _BEFORE_SUBJECT)
    if tags[first] == "R":
        return PRONOUN
    if first == verb or tags[first] != "n":
        return UNKNOWN
    while first + 1 < verb and tags[first + 1] == "n":
        first += 1
    return first
