"""Whether a sentence says of its subject what it is quoted for."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from review_analysis import valence
from review_analysis.phrases import stem
from review_analysis.reading import Label
from review_analysis.segments import Source, Words, sentences

LEAST_STRENGTH = 0.6  # Of the words that judge the subject; plain praise has 2.
PLAIN = 1.5  # Of words that surely judge.
LEAST_SHARE = 0.4  # Of the words of a sentence, that are about the subject.
LEAST_REMARK = 3  # Words of a remark with a subject of its own.
NEAR = 4  # Words between a name and the words that judge it, unless it is their subject.

_OPENS_REMARK = frozenset(",&B")
# Words that a remark with a subject of its own begins with; others go on about the one before.
_SUBJECTS = frozenset("nDR#PW")
_VERBS = frozenset("CHV")
_ENDS_HEAD = _VERBS | frozenset("P")
_RELATIVE = frozenset("who which that".split())
_SPEAKERS = frozenset("i we".split())
_CONSEQUENCE = frozenset("so because since unless until if".split())


class _Remark(NamedTuple):
    """A part of a sentence about one thing: "nice rides", "the food was cold"."""

    stems: tuple[str, ...]
    strengths: tuple[float, ...]  # Praise less blame of each word.
    head: int  # The number of words that its subject begins with: "the price" of "of the boiler".
    nouns: tuple[int, ...]  # By word that of the noun it stands before: "great service".
    goes_on: bool  # About the remark before.
    describes: bool  # The noun before: "who served us".
    has_verb: bool
    has_noun: bool

    def judged(self, about: Collection[str]) -> float | None:
        """Praise less blame of what these stems name; None where it is not named."""
        naming = [index for index, each in enumerate(self.stems) if each in about]
        if not naming:
            return None
        return sum(
            strength
            for index, strength in enumerate(self.strengths)
            if strength and any(self._judges(index, name) for name in naming)
        )

    def _judges(self, index: int, name: int) -> bool:
        """Whether a word that judges stands with a name: beside it, or behind it as its subject."""
        if name < self.head <= index:
            return True
        noun = self.nouns[index]  # "A new lamp" says nothing of the booking for it.
        return abs(index - name) <= NEAR and (noun == index or index <= name <= noun)

    @property
    def judged_alone(self) -> float:
        """Praise less blame where it names nothing else: of ", quick and fair"."""
        return 0.0 if self.has_noun else sum(self.strengths)


class Relevance(NamedTuple):
    share: float  # Of a text's words, that are about a subject.
    strength: float  # Praise less blame of that subject.

    def says(self, label: Label) -> bool:
        """Whether the text is mostly about the subject, and praises or blames it as `label`."""
        return self.agreeing(label) >= LEAST_STRENGTH and self.share >= LEAST_SHARE

    def agreeing(self, label: Label) -> float:
        """How strongly the text praises or blames the subject as `label`."""
        return self.strength if label == "positive" else -self.strength


def relevance(text: str, about: Collection[str]) -> Relevance:
    """How far a text is about what these stems name."""
    is_ours, last = False, ""
    size, strength = 0, 0.0
    remarks = _remarks(text)
    for remark in remarks:
        judged = remark.judged(about)
        describes = remark.describes and last in about
        is_ours = judged is not None or (is_ours and (remark.goes_on or describes))
        last = remark.stems[-1] if remark.stems else ""
        if is_ours:
            size += len(remark.stems)
            if judged is None:
                judged = sum(remark.strengths) if describes else remark.judged_alone
            strength += judged
    return Relevance(size / max(1, sum(len(each.stems) for each in remarks)), strength)


def says(text: str, label: Label) -> bool:
    """Whether the words of a text praise or blame as `label`, whatever they are about."""
    return Relevance(1, strength(text)).says(label)


def strength(text: str) -> float:
    """Praise less blame of all words of a text."""
    return sum(sum(remark.strengths) for remark in _remarks(text))


def blames(text: str) -> bool:
    """Whether a remark of a text blames something."""
    return any(sum(remark.strengths) <= -PLAIN for remark in _remarks(text))


def begins_without_verb(text: str) -> bool:
    """Whether it judges first without a verb: "great service, they came at once"."""
    first = next(iter(_remarks(text)))
    return any(first.strengths) and not first.has_verb


@lru_cache(maxsize=20_000)
def _remarks(text: str) -> tuple[_Remark, ...]:
    return tuple(remark for words in sentences(Source(text)) for remark in _of_sentence(words))


def _of_sentence(words: Words) -> Iterator[_Remark]:
    strengths = valence.weigh(words).strengths
    starts = [index for index in range(len(words)) if _begins(words, strengths, index)]
    for start, stop in pairwise([*starts, len(words)]):
        said = [index for index in range(start, stop) if words.words[index][0].isalnum()]
        head = (at for at, index in enumerate(said) if words.tags[index] in _ENDS_HEAD)
        hangs_on = bool(start) and _hangs_on(words, start)
        yield _Remark(
            tuple(_stem(words, index) for index in said),
            tuple(strengths[index] for index in said),
            next(head, len(said)),
            tuple(_noun([words.tags[each] for each in said], at) for at in range(len(said))),
            bool(start)
            and not hangs_on
            and (len(said) < LEAST_REMARK or words.tags[start] not in _SUBJECTS),
            hangs_on and words.words[start] in _RELATIVE and words.tags[start - 1] == "n",
            any(
                words.tags[index] in _VERBS and not words.words[index].endswith("ing")
                for index in range(start, stop)
            ),
            any(a in "DA#" and b == "n" for a, b in pairwise(words.tags[start:stop])),
        )


def _begins(words: Words, strengths: list[float], index: int) -> bool:
    """Whether a remark begins there."""
    return (
        not index
        or words.clauses[index] != words.clauses[index - 1]
        or words.tags[index - 1] in _OPENS_REMARK
        or (
            _hangs_on(words, index) and not (strengths[index - 1] and words.tags[index - 1] == "V")
        )  # "I love how they".
    )


def _hangs_on(words: Words, index: int) -> bool:
    """Whether a clause begins there that is about something else: "people who know nothing"."""
    after = words.tags[index + 1] if index + 1 < len(words) else "."
    if words.words[index] in _SPEAKERS:
        return words.tags[index - 1] in "AV" and after in _VERBS  # "Made sure I knew".
    opens = (words.tags[index] == "W" and words.words[index] != "what") or words.words[
        index
    ] in _CONSEQUENCE
    return opens and (after in _VERBS or after in "RDn")


def _stem(words: Words, index: int) -> str:
    """The stem of a word; none of "the park", which is no parking."""
    is_place = words.words[index] == "park" and words.tags[index] == "n"
    is_named = bool(index) and words.tags[index - 1] in "DAn"
    return "" if is_place and is_named else stem(words.words[index])


def _noun(tags: Sequence[str], index: int) -> int:
    """Where the last noun stands that an adjective stands before; else its own place."""
    last = index
    if tags[index] == "A":
        while last + 1 < len(tags) and tags[last + 1] in "An":
            last += 1
    return last if tags[last] == "n" else index
