"""Measure how much of a sentence is about a subject, and what it says of that subject."""

from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from review_analysis import valence
from review_analysis.phrases import stem
from review_analysis.reading import Label
from review_analysis.segments import Source, Words, sentences

PLAIN = 1.5  # Strength of a clear judgement; plain praise has 2.
MIN_SHARE = 0.4  # Of the words of a sentence.
MIN_REMARK = 3  # Words of a remark with a subject of its own.

_SUBJECTS = frozenset("nDR#PW")  # Tags that begin a remark with a subject of its own.
_CONSEQUENCE = frozenset("so because since unless until if".split())


class _Remark(NamedTuple):
    """Part of a sentence about one thing: "nice rides", "the food was cold"."""

    stems: tuple[str, ...]
    strength: float  # Praise less blame.
    continues: bool  # The subject is that of the remark before.


class Relevance(NamedTuple):
    share: float  # Share of the words that are about the subject.
    strength: float  # Praise of the subject less blame.

    def says(self, label: Label) -> bool:
        """Whether the text is mostly about the subject, and praises or blames it as `label`."""
        return self.agreeing(label) > 0 and self.share >= MIN_SHARE

    def agreeing(self, label: Label) -> float:
        """Strength on the side of `label`; negative if the text says the opposite."""
        return self.strength if label == "positive" else -self.strength


def relevance(text: str, about: Collection[str]) -> Relevance:
    """Measure what a text says of the subject that these stems name."""
    is_about = False
    size, strength = 0, 0.0
    remarks = _remarks(text)
    for remark in remarks:
        is_about = any(each in about for each in remark.stems) or (is_about and remark.continues)
        if is_about:
            size += len(remark.stems)
            strength += remark.strength
    return Relevance(size / max(1, sum(len(each.stems) for each in remarks)), strength)


def says(text: str, label: Label) -> bool:
    """Whether a text as a whole praises or blames as `label`."""
    return Relevance(1, sum(remark.strength for remark in _remarks(text))).says(label)


def blames(text: str) -> bool:
    """Whether a remark of a text clearly blames something."""
    return any(remark.strength <= -PLAIN for remark in _remarks(text))


@lru_cache(maxsize=20_000)
def _remarks(text: str) -> tuple[_Remark, ...]:
    return tuple(remark for words in sentences(Source(text)) for remark in _of_sentence(words))


def _of_sentence(words: Words) -> Iterator[_Remark]:
    strengths = valence.weigh(words).strengths
    starts = [index for index in range(len(words)) if _begins(words, index)]
    for start, stop in pairwise([*starts, len(words)]):
        spoken = [index for index in range(start, stop) if words.words[index][0].isalnum()]
        has_own_subject = len(spoken) >= MIN_REMARK and words.tags[spoken[0]] in _SUBJECTS
        yield _Remark(
            tuple(stem(words.words[index]) for index in spoken),
            sum(strengths[index] for index in spoken),
            not has_own_subject and not _opens_clause(words, start),
        )


def _begins(words: Words, index: int) -> bool:
    return index == 0 or words.tags[index - 1] in ",&B" or _opens_clause(words, index)


def _opens_clause(words: Words, index: int) -> bool:
    """Whether a clause about something else begins there: "people who know nothing"."""
    after = words.tags[index + 1] if index + 1 < len(words) else "."
    opens = words.tags[index] == "W" or words.words[index] in _CONSEQUENCE
    return opens and after in "CHVRDn"
