"""Complaints shared by all trades, read from constructions instead of words of a trade.

A construction is a pattern of `words.toml` over the words of a sentence: a duration with waiting,
an amount beside another's, a contact without an answer, a redo by somebody else. A problem of a
taxonomy belongs to at most one concept, by its id.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from review_analysis import grammar
from review_analysis.segments import VERBS, Words
from review_analysis.word_lists import tables, word_lists

_TABLES = tables(__file__)
_WORDS = word_lists(__file__)

LABELS: Mapping[str, str] = {id_: each["label"] for id_, each in _TABLES["shared"].items()}
# The first of these problems that a taxonomy has names all of a concept that no term finds.
_REPRESENTED_BY: Mapping[str, list[str]] = {
    id_: each["represented_by"].split() for id_, each in _TABLES["shared"].items()
}
_CONCEPTS = {
    problem: id_ for id_, each in _TABLES["shared"].items() for problem in each["problems"].split()
}
# Aspects that can be bad in one way alone.
_OF_ASPECTS = {
    aspect: id_
    for id_, each in _TABLES["shared"].items()
    for aspect in each.get("aspects", "").split()
}

_MACROS = {f"<{name}>": f"(?:{pattern})" for name, pattern in _TABLES["parts"].items()}
_CUSTOMERS = frozenset("i we me us my our".split())
_SUBJECTS = frozenset({"i", "we"})
_OWN_DEEDS = grammar.NEGATORS | {"was", "were", "am", "'m", "is"}
_OPENERS = frozenset("& B J ,".split())
_AUXILIARY = frozenset("HJN")


def _compiled(patterns: Iterable[str]) -> re.Pattern[str]:
    whole = "|".join(patterns)
    for name, pattern in _MACROS.items():
        whole = whole.replace(name, pattern)
    return re.compile(rf"(?<!\S)(?:{whole})(?!\S)")


_PATTERNS = {
    id_: _compiled(each["patterns"])
    for id_, each in _TABLES["shared"].items()
    if "patterns" in each
}


class Found(NamedTuple):
    """A concept at words first..last of a sentence."""

    concept: str
    first: int
    last: int


def of_problem(problem: str) -> str | None:
    """Concept of a taxonomy's problem."""
    return _CONCEPTS.get(problem)


def of_aspect(aspect: str) -> str | None:
    """Concept of blame for an aspect: too dear for the price, too long for the wait."""
    return _OF_ASPECTS.get(aspect)


def excluded_by(problems: Iterable[str]) -> frozenset[str]:
    """Concepts that name no complaint in a taxonomy with these problems."""
    known = frozenset(problems)
    return frozenset(
        id_
        for id_, each in _TABLES["shared"].items()
        if not known.isdisjoint(each.get("not_with", "").split())
    )


def problem_of(concept: str, known: Iterable[str]) -> str | None:
    """Problem that represents a concept in a taxonomy, given the ids of its problems."""
    ids = frozenset(known)
    return next((problem for problem in _REPRESENTED_BY[concept] if problem in ids), None)


def find(words: Words) -> Iterator[Found]:
    """Concepts of a sentence, each at its first place."""
    text = " ".join(words.words)
    ends = list(accumulate(len(word) + 1 for word in words.words))
    for concept, pattern in _PATTERNS.items():
        if match := pattern.search(text):
            first = sum(end <= match.start() for end in ends)
            last = sum(end < match.end() for end in ends)
            if not _is_deed_of_customer(words, first, last):
                yield Found(concept, first, last)


def _is_deed_of_customer(words: Words, first: int, last: int) -> bool:
    """Whether the customer did it ("we won't be returning"), unlike "I never got an answer"."""
    subject = first - 1
    while subject > 0 and words.tags[subject] in _AUXILIARY:
        subject -= 1
    is_customer = subject >= 0 and words.words[subject] in _SUBJECTS
    return (
        is_customer
        and words.words[first] in _OWN_DEEDS
        and _WORDS["receiving"].isdisjoint(words.words[subject : last + 1])
    )


def is_statement(words: Words) -> bool:
    """Whether a sentence tells an event or a state, unlike advice and mere exclamations."""
    first = next((at for at, tag in enumerate(words.tags) if tag not in _OPENERS), 0)
    if len(words) < 4 or not _WORDS["advice"].isdisjoint(words.words[first : first + 2]):
        return False
    if words.words[first] in _CUSTOMERS and not _WORDS["intending"].isdisjoint(words.words):
        return False
    return not VERBS.isdisjoint(words.tags)
