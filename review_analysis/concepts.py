"""Concepts of complaints that are common to all trades, recognised by constructions.

A construction is a pattern in `words.toml` over the words of a sentence, for example a duration of
waiting or a contact without an answer. A problem of a taxonomy belongs to at most one concept, by
its id.
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
# The first of these problems in a taxonomy stands for a concept that constructions found.
_REPRESENTED_BY: Mapping[str, list[str]] = {
    id_: each["represented_by"].split() for id_, each in _TABLES["shared"].items()
}
_CONCEPTS = {
    problem: id_ for id_, each in _TABLES["shared"].items() for problem in each["problems"].split()
}
# Aspects whose blame always means the same concept.
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
    return _CONCEPTS.get(problem)


def of_aspect(aspect: str) -> str | None:
    return _OF_ASPECTS.get(aspect)


def excluded_by(problems: Iterable[str]) -> frozenset[str]:
    """Return the concepts that a taxonomy with these problems excludes."""
    known = frozenset(problems)
    return frozenset(
        id_
        for id_, each in _TABLES["shared"].items()
        if not known.isdisjoint(each.get("not_with", "").split())
    )


def problem_of(concept: str, known: Iterable[str]) -> str | None:
    """Return the problem of a taxonomy that stands for a concept."""
    ids = frozenset(known)
    return next((problem for problem in _REPRESENTED_BY[concept] if problem in ids), None)


def find(words: Words) -> Iterator[Found]:
    """Yield the concepts of a sentence, each at its first occurrence."""
    text = " ".join(words.words)
    ends = list(accumulate(len(word) + 1 for word in words.words))
    for concept, pattern in _PATTERNS.items():
        if match := pattern.search(text):
            first = sum(end <= match.start() for end in ends)
            last = sum(end < match.end() for end in ends)
            if not _is_deed_of_customer(words, first, last):
                yield Found(concept, first, last)


def _is_deed_of_customer(words: Words, first: int, last: int) -> bool:
    """Whether the customer is the actor: "we won't be returning"; not "I never got an answer"."""
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
    """Whether a sentence states an event or a condition; not advice or an exclamation."""
    first = next((at for at, tag in enumerate(words.tags) if tag not in _OPENERS), 0)
    if len(words) < 4 or not _WORDS["advice"].isdisjoint(words.words[first : first + 2]):
        return False
    if words.words[first] in _CUSTOMERS and not _WORDS["intending"].isdisjoint(words.words):
        return False
    return not VERBS.isdisjoint(words.tags)
