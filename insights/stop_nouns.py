"""Nouns that make no theme: those of every trade, of people, and of the business's own place."""

from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

EVERYDAY = _WORDS["everyday"]
# Others that make no theme, alone or with a noun beside them.
EMPTY = EVERYDAY | _WORDS["empty"]
# And nouns that are a theme only with another behind them: "parking office".
EMPTY_ALONE = _WORDS["empty_alone"]
_CUSTOMERS = frozenset("kid child children adult teen family couple group".split())
_PERSON_NOUNS = _WORDS["person_nouns"]
_PERSON_ENDINGS = ("ist", "ician", "man", "woman")


def is_general(word: str) -> bool:
    """Whether a noun makes no theme by itself, in either number: "site", "sites"."""
    return word in EMPTY_ALONE or word.removesuffix("s") in EMPTY_ALONE


def is_customer(word: str) -> bool:
    """Whether a noun names customers: "kids"."""
    return word in _CUSTOMERS or word.removesuffix("s") in _CUSTOMERS


def is_person(word: str) -> bool:
    """Whether a noun names a person by work or kin: "technician", "technicians"."""
    single = word.removesuffix("s")
    return (
        word in _PERSON_NOUNS
        or single in _PERSON_NOUNS
        or (len(single) > 5 and single.endswith(_PERSON_ENDINGS))
    )
