"""In how many reviews nouns and pairs of nouns stand: what themes are found from.

`add` and `remove` keep exact counts, so that the order of changes does not matter.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache

from insights.findings import AnalysedReview, Opinion
from review_analysis import grammar
from review_analysis.phrases import stem
from review_analysis.valence import known_words
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

# Nouns of every trade, which say nothing of this one.
EVERYDAY = _WORDS["everyday"]
# Others that make no theme, alone or with a noun beside them.
EMPTY = EVERYDAY | _WORDS["empty"]
# And nouns that are a theme only with another beside them.
EMPTY_ALONE = _WORDS["empty_alone"]
# Names of the business's own place; beside another noun they are a theme: "parking office".
EMPTY_ALONE |= _WORDS["empty_alone_2"]
# Customers: "young children" are none of the business's things.
_CUSTOMERS = frozenset("kid child children adult teen family couple group".split())
_PERSON_NOUNS = _WORDS["person_nouns"]
_PERSON_ENDINGS = ("ist", "ician", "man", "woman")

MAX_CHARACTERS = 10_000
WORD = re.compile(r"[a-z]+(?:['\u2019][a-z]+)?", re.IGNORECASE | re.ASCII)
_SENTENCE_END = re.compile(r"[.!?\n]+")
_MARKUP = re.compile(r"[<>{}\[\]\\=|~^`_*#@]")
_RUN_END = re.compile(r"[^\w\s'\u2019-]+")
_ENGLISH = 0.1  # The least share of small words such as "the" in a text that is counted.
_NOUN = "n"
# Parts of speech behind which a word is a noun ("the rides", "nice rides"), and those before which
# it is one where it begins a clause ("Rides were closed").
_BEFORE = frozenset("DAP#N")
_AFTER = frozenset("CH")
_DESCRIBING = frozenset("ANJ")  # Between a determiner and its noun.
_THE = frozenset("the their its these those".split())
_OURS = frozenset("my our his her your own".split())
_WORKED = frozenset(map(stem, _WORDS["verbs_of_work"])) | {"redid", "rebuilt"}
_WHERE = frozenset("in at on to from near by off across around along behind into".split())


@dataclass(slots=True)
class Vocabulary:
    """In how many reviews words, nouns and pairs of nouns stand."""

    words: Counter[str] = field(default_factory=Counter)
    written_small: Counter[str] = field(default_factory=Counter)  # Not with a capital.
    nouns: Counter[str] = field(default_factory=Counter)  # Where a noun can stand alone.
    called: Counter[str] = field(default_factory=Counter)  # Business: "this hotel", "is a hotel".
    judged: Counter[str] = field(default_factory=Counter)  # "Nice rides", "the rides were fun".
    pointed_out: Counter[str] = field(default_factory=Counter)  # "The rides", "rides were".
    owned: Counter[str] = field(default_factory=Counter)  # "Our bags", "fixed the unit".
    measuring: Counter[str] = field(default_factory=Counter)  # Something else: "size of".
    placed: Counter[str] = field(default_factory=Counter)  # "Near the canal".
    pairs: Counter[str] = field(default_factory=Counter)
    terms_of: dict[str, tuple[str, ...]] = field(default_factory=dict)  # By review id.
    # By a theme's id its pattern, and by review id what each says of it; found once.
    opinions: dict[str, tuple[str, dict[str, Opinion]]] = field(default_factory=dict, compare=False)

    def add(self, record: AnalysedReview) -> None:
        """Count a review; one that was not read, for want of words or of English, says nothing."""
        if record.analysed:
            self._count(record, 1)

    def remove(self, record: AnalysedReview) -> None:
        """Take back what `add` counted of this record."""
        if record.analysed:
            self._count(record, -1)

    def _count(self, record: AnalysedReview, sign: int) -> None:
        said = uses_in(record.text)
        for use, found in said.items():
            counter: Counter[str] = getattr(self, use)
            for each in found:
                counter[each] += sign
                if not counter[each]:
                    del counter[each]
        if sign > 0:
            self.terms_of[record.ulid] = (*said["pairs"], *said["nouns"])
            return
        del self.terms_of[record.ulid]
        for _, known in self.opinions.values():
            known.pop(record.ulid, None)

    def singular(self, word: str) -> str:
        """The form of a noun for one, of those that reviews hold: "passes" is "pass"."""
        if not word.endswith("s") or word.endswith(("ss", "us", "is")) or len(word) < 4:
            return word
        forms = [word[:-1]]
        if word.endswith("es"):
            forms.insert(0, word[:-2])
        if word.endswith("ies"):
            forms.insert(0, f"{word[:-3]}y")
        if word.endswith("zzes"):
            forms.insert(0, word[:-3])
        held = [form for form in forms if form in self.words]
        if held:
            return max(held, key=lambda form: self.words[form])
        is_hissed = word.endswith(("sses", "shes", "ches", "xes", "zes", "ies"))
        return forms[0] if is_hissed else word[:-1]

    def key(self, term: str) -> str:
        """Key that the forms of a noun or of a pair share: "gift cards" and "gift card"."""
        first, _, last = term.rpartition(" ")
        return f"{first} {self.singular(last)}".strip()


USES = tuple(each.name for each in fields(Vocabulary) if each.name not in {"terms_of", "opinions"})


@cache
def _passed_over() -> frozenset[str]:
    """Words that say nothing, and words that judge: those belong to an aspect."""
    return EMPTY | known_words()


def uses_in(text: str) -> dict[str, dict[str, None]]:
    """Words and phrases of a text by the counters that count them, each once, in its order."""
    said: dict[str, dict[str, None]] = {use: {} for use in USES}
    small = 0
    for run in _runs(text):
        written = WORD.findall(run)
        words = [word.lower().replace("\u2019", "'") for word in written]
        tags = grammar.tags(words)
        nouns = _nouns(words, tags)
        said["words"].update(dict.fromkeys(words))
        small += sum(word in grammar.FUNCTION_WORDS for word in words)
        pairs = zip(words, written, strict=True)
        said["written_small"].update((word, None) for word, form in pairs if form[0].islower())
        for index in (index for index, is_noun in enumerate(nouns) if is_noun):
            for use, term in _uses(words, tags, nouns, index):
                said[use][sys.intern(term)] = None
    is_english = small >= _ENGLISH * len(said["words"])
    return said if is_english else {use: {} for use in USES}


def _uses(
    words: list[str], tags: list[str], nouns: list[bool], index: int
) -> Iterator[tuple[str, str]]:
    """How a noun is used, by the names of the counters, alone and with the noun before it."""
    word = words[index]
    first = index - 1 if index and nouns[index - 1] else index
    found = []
    if _stands_as_noun(words, tags, nouns, index):
        found.append(word)
        yield "nouns", word
    if first < index and not is_customer(word):
        found.append(f"{words[first]} {word}")
        yield "pairs", found[-1]
    start = _phrase_start(tags, nouns, index)
    determiner = words[start - 1] if start else ""
    preposition = words[start - 1 - (tags[start - 1] == "D")] if start > 1 else determiner
    is_placed = preposition in _WHERE
    is_subject = tags[index + 1 : index + 2] == ["C"] and not is_placed
    uses = {
        "judged": _is_judged(words, tags, first, index, is_subject=is_subject),
        "pointed_out": determiner in _THE or is_subject,
        "called": _calls_the_business(words, tags, start),
        "owned": determiner in _OURS or _is_worked_on(words, tags, start, index),
        "measuring": words[index + 1 : index + 2] == ["of"],
        "placed": is_placed or preposition == "of",
    }
    for use, holds in uses.items():
        if holds:
            yield from ((use, term) for term in found)


def _nouns(words: list[str], tags: list[str]) -> list[bool]:
    passed_over = _passed_over()
    return [
        tag == _NOUN
        and len(word) > 2
        and word.isalpha()
        and word not in passed_over
        and word.removesuffix("s") not in EMPTY
        for word, tag in zip(words, tags, strict=True)
    ]


def _stands_as_noun(words: list[str], tags: list[str], nouns: list[bool], index: int) -> bool:
    """Whether the words around tell that it is a noun, and no part of a longer one."""
    word = words[index]
    if is_general(word) or is_person(word):
        return False
    if tags[index + 1 : index + 2] == [_NOUN]:
        return False  # "Air" of "air conditioning", and "hidden" of "hidden gem".
    before = tags[index - 1] if index else "."
    if before in _BEFORE:
        return words[index - 1] != "to"
    if index and nouns[index - 1]:
        return True
    return before in ".&" and index + 1 < len(words) and tags[index + 1] in _AFTER


def _phrase_start(tags: list[str], nouns: list[bool], index: int) -> int:
    """Where a noun and the words that describe it begin: "nice new rides"."""
    first = index
    while first and (tags[first - 1] in _DESCRIBING or nouns[first - 1]):
        first -= 1
    return first


def _calls_the_business(words: list[str], tags: list[str], start: int) -> bool:
    """Whether "this" points at the phrase from start, or "it is a" tells what something is."""
    before = words[max(start - 1, 0) : start]
    if before == ["this"]:
        return True
    return before in (["a"], ["an"]) and tags[max(start - 2, 0) : start - 1] == ["C"]


def _is_worked_on(words: list[str], tags: list[str], start: int, last: int) -> bool:
    """Whether a verb of work has the phrase as its object, or as what was worked on."""
    verb = start - 1 - (start > 0 and tags[start - 1] == "D")
    if verb >= 0 and stem(words[verb]) in _WORKED:
        return True
    is_done = tags[last + 1 : last + 2] == ["C"] and last + 2 < len(words)
    return is_done and words[last + 2].endswith("ed") and stem(words[last + 2]) in _WORKED


def _is_judged(
    words: list[str], tags: list[str], first: int, last: int, *, is_subject: bool
) -> bool:
    """Whether praise or blame stands before words first..last, or behind "is" of this subject."""
    known = known_words()
    if first and tags[first - 1] == "A" and words[first - 1] in known:
        return True
    said = zip(words[last + 2 : last + 5], tags[last + 2 : last + 5], strict=True)
    return is_subject and any(tag == "A" or word in known for word, tag in said)


def _runs(text: str) -> Iterator[str]:
    """Words that no mark parts, of the sentences that are plain prose."""
    for sentence in _SENTENCE_END.split(text[:MAX_CHARACTERS]):
        if not _MARKUP.search(sentence):
            yield from _RUN_END.split(sentence)


# --- Nouns that make no theme ---------------------------------------------------------------------


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
