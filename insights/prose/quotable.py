"""Which sentences of reviews may be quoted: plain, decent, and naming nobody."""

import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache

from review_analysis.grammar import FUNCTION_WORDS
from review_analysis.phrases import stem
from review_analysis.valence import known_words
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

LETTERS = "A-Za-zÀ-ÖØ-öø-ÿ"
# A capital, plain letters and common marks, a full stop or exclamation mark: no markup, no
# controls, no letters that run the other way or look like others.
_PLAIN = re.compile(rf"[A-Z][{LETTERS}0-9 ,;:.!'\u2019&%$()/\u2013\u2014-]*[.!]")
_UNWELCOME = re.compile(
    r"""\w:/|www\.|@|&\w+;|\w\(                              # addresses, markup, programs
    |\w\.(?:com|net|org|io|co|info|biz|us|uk|ca|de|eu|app|example)\b
    |\d{5,}|\d[\d() .-]{5,}\d                               # telephone numbers
    |\.[a-z]{2}|\ [.,!]|--|\.[.!]|!\.|!{4}|(.)\1{3,}|\S{30,}                # noise
    |\b(?:ignore|disregard|forget)\b.*\b(?:instruction|prompt|rule)
    |\bsystem\ prompt\b|\bdrop\ table\b|\bmy\ name\ is\b
    |\b(?:fuck|shit|bitch|asshole|bastard|crap|damn|piss|dick|slut|whore)""",
    re.IGNORECASE | re.VERBOSE,
)
# The business itself, whose answers some sites mix with the reviews.
_BY_BUSINESS = re.compile(
    r"\bour (?:staff|team|guests|customers|clients|patients)\b", re.IGNORECASE
)
_WORD = re.compile(f"[{LETTERS}]+")
_CAPITALISED = _WORDS["capitalised"]
_ABBREVIATION = 5  # Letters of the longest word that is written in capitals by right: "HVAC".

# Words of questions that say nothing of what is asked about.
_ASKING = _WORDS["asking"]


def is_quotable(text: str, known: Collection[str] = ()) -> bool:
    """Whether a customer says it, plainly and decently, naming nobody but those in `known`."""
    return (
        _PLAIN.fullmatch(text) is not None
        and not _UNWELCOME.search(text)
        and not _BY_BUSINESS.search(text)
        and text.count("(") == text.count(")")
        and 4 * sum(char.isupper() for char in text) < len(text)
        and all(_is_no_name(word, known) for word in _WORD.findall(text)[1:])
    )


def _is_no_name(word: str, known: Collection[str]) -> bool:
    if word.lower() in FUNCTION_WORDS and word != "I" and word[0].isupper():
        return word in known  # "Great location A great location": two sentences in one.
    return (
        word[0].islower()
        or word in _CAPITALISED
        or word in known
        or (word.isupper() and len(word) <= _ABBREVIATION)
    )


@cache
def judging_stems() -> frozenset[str]:
    """Stems of words that praise or blame whatever they stand with."""
    return frozenset(map(stem, known_words()))


def stems(*texts: str) -> frozenset[str]:
    """Stems of the words that tell what texts are about."""
    words = (word.lower() for text in texts for word in _WORD.findall(text))
    return frozenset(
        stem(word)
        for word in words
        if len(word) > 2 and word not in FUNCTION_WORDS and word not in _ASKING
    )


def naming_stems(label: str) -> dict[str, float]:
    """Stems of a label, each of full weight."""
    return dict.fromkeys(stems(label), 1.0)


@lru_cache(maxsize=20_000)
def stems_of(text: str) -> frozenset[str]:
    """Stems of a sentence; kept, as it is asked about several subjects."""
    return stems(text)


def proper_words(text: str) -> list[str]:
    """Capitalised words of a text, as in names."""
    return [word for word in _WORD.findall(text) if len(word) > 1 and word[0].isupper()]


def without_judging_names(text: str, known: Collection[str]) -> str:
    """A text in which no name of `known` praises or blames: "Grace", "Tern Hollow"."""
    judging = {word for word in known if word.lower() in known_words()}
    return _WORD.sub(lambda found: "Ann" if found[0] in judging else found[0], text)


def is_signed(text: str, author: str) -> bool:
    """Whether a text holds a part of its author's name."""
    names = {word.lower() for word in _WORD.findall(author) if len(word) > 1}
    return any(
        word.lower() in names and word.lower() not in FUNCTION_WORDS for word in proper_words(text)
    )


def begins_with_a_customer(text: str, known: Collection[str], authors: Iterable[str]) -> bool:
    """Whether a sentence begins with a customer's name, where a capital tells nothing."""
    first = _WORD.findall(text)[0]
    if first in known or first.lower() in FUNCTION_WORDS:  # "The Smiths" do not forbid "The".
        return False
    return any(first.lower() in author.lower() and is_signed(first, author) for author in authors)
