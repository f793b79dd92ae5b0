"""Which sentences of reviews may be quoted: plain, decent, whole, and clear without the rest."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache

from review_analysis.grammar import FUNCTION_WORDS
from review_analysis.phrases import stem
from review_analysis.segments import Source, sentences
from review_analysis.valence import known_words

LETTERS = "A-Za-zÀ-ÖØ-öø-ÿ"
# A capital, plain letters and common marks, a full stop or exclamation mark: no markup, no
# controls, no letters that run the other way or look like others.
_PLAIN = re.compile(rf"[A-Z][{LETTERS}0-9 ,;:.!'\u2019&%$()/\u2013\u2014-]*[.!]")
_UNWELCOME = re.compile(
    r"""\w:/|www\.|@|&\w+;|\w\(                              # addresses, markup, programs
    |\w\.(?:com|net|org|io|co|info|biz|us|uk|ca|de|eu|app|example)\b
    |\d{5,}|\d[\d() .-]{5,}\d                               # telephone numbers
    |--|\.[.!]|!\.|!{4}|(.)\1{3,}|\S{30,}                # noise
    |\b(?:ignore|disregard|forget)\b.*\b(?:instruction|prompt|rule)
    |\bsystem\ prompt\b|\bdrop\ table\b|\bmy\ name\ is\b
    |\b(?:fuck|shit|bitch|asshole|bastard|crap|damn|piss|dick|slut|whore)""",
    re.IGNORECASE | re.VERBOSE,
)
_WORD = re.compile(f"[{LETTERS}]+")
_CAPITALISED = frozenset(
    """I God Christmas Thanksgiving Easter English Spanish American
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday
    January February March April May June July August September October November December""".split()
)
SHORT = 5  # Words of a sentence that may lack what its verb stands for.
_ABBREVIATION = 5  # Letters of the longest word that is written in capitals by right: "HVAC".

# Parts of speech (`review_analysis.grammar`).
_BEFORE_NOUNS = frozenset("DAP#")
_NAMING = frozenset("nA#")  # What makes "this" point at a word: "this office".
# A sentence that goes on from the one before it.
_JOINING = frozenset(
    """which who and but or so also then however although though because plus yet nor while
    otherwise still again only other another same such both neither either""".split()
)
_SINGULAR = frozenset("he him his she her hers it its theirs themselves himself herself".split())
_POINTING = frozenset("this that these those".split())
_PEOPLE = frozenset("everyone everybody someone somebody anyone anybody nobody who".split())
_EMPTY_IT_AFTER = frozenset("make makes made making find finds found take takes took".split())
_EMPTY_IT_BEFORE = frozenset("take takes took".split())
_SUBJECTS = frozenset("nRDW#")
_GOING_ON = {("it",), ("they",), ("everything",), ("the", "work"), ("the", "job")}
# Words of questions that say nothing of what is asked about.
_ASKING = frozenset(
    """good well enough easy happy pleasant take keep kept get go goes made make know show care
    reviewers reviews review handled treated""".split()
)


def is_quotable(text: str, known: Collection[str] = ()) -> bool:
    """Whether a sentence is plain and decent, and names nobody but those in `known`."""
    return (
        _PLAIN.fullmatch(text) is not None
        and not _UNWELCOME.search(text)
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


def is_whole(text: str) -> bool:
    """Whether a text is no fragment, and each of its pronouns follows the noun that it stands for.

    "They" is the business, "we" and "I" are its customers.
    """
    words, tags = _read(text)
    if not words or words[0] in _JOINING or "  " in text:
        return False
    is_named = False  # Whether a noun has come.
    for index, (word, tag) in enumerate(zip(words, tags, strict=True)):
        if not is_named and _leans(words, tags, index):
            return False
        is_named = is_named or (tag == "n" and len(word) > 2) or word in _PEOPLE
    return _verb(tags) is not None and not _ends_short(tags)


def _ends_short(tags: Sequence[str]) -> bool:
    """Whether the verb only stands for another: "The communication isn't"."""
    spoken = [tag for tag in tags if tag != "."]
    return len(spoken) <= SHORT and spoken[-1:] in (["C"], ["H"])


def _leans(words: tuple[str, ...], tags: tuple[str, ...], index: int) -> bool:
    """Whether a pronoun stands there that only the text before explains."""
    word, before = words[index], words[index - 1] if index else ""
    after = tags[index + 1] if index + 1 < len(tags) else "."
    if word in _POINTING:
        return (not index or word != "that") and after not in _NAMING
    if word == "it":
        rest = words[index + 1 :]
        is_empty = before in _EMPTY_IT_AFTER or (after == "C" and "to" in rest)
        return not is_empty and not _EMPTY_IT_BEFORE.intersection(rest[:1])
    return word in _SINGULAR


def has_subject(text: str) -> bool:
    """Whether a noun or pronoun comes before the verb: unlike "Waited an hour"."""
    _, tags = _read(text)
    return not _SUBJECTS.isdisjoint(tags[: _verb(tags) or 0])


def _verb(tags: Sequence[str]) -> int | None:
    """Where the first verb stands; "great work" and "to fix" have none of their own."""
    for index, tag in enumerate(tags):
        if tag in "CH" or (tag == "V" and (not index or tags[index - 1] not in _BEFORE_NOUNS)):
            return index
    return None


def refers_back(text: str, about: Collection[str]) -> bool:
    """Whether a sentence goes on about what stands before it, or about something `about` names."""
    words, _ = _read(text)
    return words[:1] in _GOING_ON or words[:2] in _GOING_ON or not stems_of(text).isdisjoint(about)


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


@lru_cache(maxsize=20_000)
def stems_of(text: str) -> frozenset[str]:
    """Stems of a sentence; kept, as it is asked about several subjects."""
    return stems(text)


def proper_words(text: str) -> list[str]:
    """Capitalised words of a text, as in names."""
    return [word for word in _WORD.findall(text) if len(word) > 1 and word[0].isupper()]


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


@lru_cache(maxsize=20_000)
def _read(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words of a text in lower case, and their parts of speech."""
    read = list(sentences(Source(text)))
    words = tuple(word for sentence in read for word in sentence.words)
    return words, tuple(tag for sentence in read for tag in sentence.tags)
