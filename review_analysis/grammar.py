"""Part-of-speech tags by lists of function words and by endings.

Tags: D determiner, P preposition, R pronoun, C copula, H auxiliary, N negator, & conjunction,
B contrast, W relative or question word, T "than", J adverb, A adjective, V verb, # number, n noun
or any other word; `,` and `.` are punctuation within and at the end of a sentence.
"""

from collections.abc import Mapping
from functools import lru_cache

from review_analysis import lexicon
from review_analysis.word_lists import tables, word_lists

_WORDS = word_lists(__file__)

_CLASSES: Mapping[str, str] = tables(__file__)["classes"]
_TAGS = {word: tag for tag, words in _CLASSES.items() for word in words.split()}

NEGATORS = _WORDS["negators"]
LONGEST_DENIAL = 5  # In words.
DENYING = NEGATORS | {"wrong", "nope", "false"}
_IN_DENIALS = (DENYING - {"nothing", "nobody", "nowhere"}) | _WORDS["in_denials"]
FUNCTION_WORDS = frozenset(
    word for tag in "DPRCHN&BWT" for word in _CLASSES[tag].split() if len(word) > 1
) | {"i", "a", "very", "there", "here", "just", "also"}

_MARKS = {".": ".", "!": ".", "?": ".", "\u2026": ".", "\n": "."}
_ADJECTIVE_ENDINGS = ("ful", "less", "ous", "ive", "able", "ible", "ish", "ical", "iest")
# Past forms that are nouns or adjectives unless an object follows.
_EITHER = _WORDS["either"]
_OBJECTS = frozenset("me us him them".split())


def is_denial(words: list[str]) -> bool:
    """Whether the words only deny what was said before: "not even close"."""
    return (
        len(words) <= LONGEST_DENIAL
        and _IN_DENIALS.issuperset(words)
        and not DENYING.isdisjoint(words)
    )


def tags(words: list[str]) -> list[str]:
    """Return the tag of each word of a sentence."""
    tags = [_KNOWN.get(word) or _guess(word) for word in words]
    if "'s" in words:
        for index in range(1, len(words) - 1):
            # "Mark's work": a possessive, unlike "Mark's here".
            if words[index] == "'s" and tags[index + 1] == "n":
                tags[index] = "D" if tags[index - 1] == "n" else "C"
    _find_verbs_by_object(words, tags)
    if "but" in words:
        for index, word in enumerate(words):
            if word == "but":
                tags[index] = _part_of_but(words, index)
    return tags


def _find_verbs_by_object(words: list[str], tags: list[str]) -> None:
    """Tag words as verbs if an object follows them."""
    if not _TAKING_OBJECTS.isdisjoint(words):
        for index, word in enumerate(words[1:-1], 1):
            if word in _TAKING_OBJECTS and _has_object(words, tags, index):
                tags[index] = "V"
    if not _OBJECTS.isdisjoint(words):
        for index, word in enumerate(words[2:], 1):
            if word in _OBJECTS and tags[index] == "n":  # "The office texts me".
                tags[index] = "V"


def _has_object(words: list[str], tags: list[str], index: int) -> bool:
    """Whether an ambiguous form has an object: "they lost my file"; not "a lost file"."""
    takes = tags[index + 1] == "D" or words[index + 1] in _OBJECTS
    return takes and tags[index - 1] not in {"D", "A", "C", "P"}


def _part_of_but(words: list[str], index: int) -> str:
    """Return the tag of "but": a contrast, except in "nothing but" and "not only ... but"."""
    if index and words[index - 1] in {"nothing", "anything"}:
        return "P"
    for before in range(index - 1, 0, -1):
        if words[before] == "but":
            break
        if words[before] in _ADDING and words[before - 1] in NEGATORS:
            return "&"
    return "B"


_ADDING = frozenset("only just merely simply".split())

# The lists take precedence over the lexicon's adjectives.
_KNOWN: dict[str, str] = {**dict.fromkeys(lexicon.load().adjectives, "A"), **_TAGS}

_TAKING_OBJECTS = _EITHER.union(word for word in lexicon.load().adjectives if word.endswith("ed"))


@lru_cache(maxsize=50_000)
def _guess(word: str) -> str:
    head = word[0]
    if not head.isalpha():
        return _MARKS.get(head) or ("#" if head.isdigit() else ",")
    if len(word) < (4 if word.endswith("ed") else 5):
        return "n"
    if word.endswith("ly"):
        return "J"
    if word.endswith(_ADJECTIVE_ENDINGS):
        return "A"
    return "V" if word.endswith(("ing", "ed")) and word not in _WORDS["nouns_like_verbs"] else "n"
