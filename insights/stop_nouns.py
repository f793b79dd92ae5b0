"""Nouns that make no theme: those of every trade, of people, and of the business's own place."""

from collections.abc import Collection

from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_CUSTOMERS = frozenset("kid child children adult teen family couple group".split())
_PERSON_ENDINGS = ("ist", "ician", "man", "woman")


def is_empty(word: str) -> bool:
    """Whether a noun makes no theme, not even with another noun."""
    return _is_listed(word, _WORDS["empty"])


def is_general(word: str) -> bool:
    """Whether a noun makes a theme only with another behind it: "parking office"."""
    return _is_listed(word, _WORDS["empty_alone"])


def is_customer(word: str) -> bool:
    return _is_listed(word, _CUSTOMERS)


def is_person(word: str) -> bool:
    """Whether a noun names a person by work or kin: "technician", "sister"."""
    single = word.removesuffix("s")
    return _is_listed(word, _WORDS["person_nouns"]) or (
        len(single) > 5 and single.endswith(_PERSON_ENDINGS)
    )


def _is_listed(word: str, singulars: Collection[str]) -> bool:
    return word in singulars or word.removesuffix("s") in singulars
