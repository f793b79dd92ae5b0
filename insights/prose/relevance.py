"""Whether a sentence says of its subject what it is quoted for."""

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from review_analysis import valence
from review_analysis.phrases import stem
from review_analysis.reading import Label
from review_analysis.segments import Source, Words, sentences

LEAST_STRENGTH = 0.6  # Of the words that judge the subject; plain praise has 2.
LEAST_SHARE = 0.4  # Of the words of a sentence, that are about the subject.
LEAST_REMARK = 3  # Words of a remark with a subject of its own.

_OPENS_REMARK = frozenset(",&B")
# Words that a remark with a subject of its own begins with; others go on about the one before.
_SUBJECTS = frozenset("nDR#PW")


class _Remark(NamedTuple):
    """A part of a sentence about one thing: "nice rides", "the food was cold"."""

    size: int  # In words.
    stems: frozenset[str]
    strength: float  # Praise less blame.
    goes_on: bool  # About the remark before.


class Relevance(NamedTuple):
    share: float  # Of a text's words, that are about a subject.
    strength: float  # Praise less blame of those words.

    def says(self, label: Label) -> bool:
        """Whether the text is mostly about the subject, and praises or blames it as `label`."""
        agreeing = self.strength if label == "positive" else -self.strength
        return agreeing >= LEAST_STRENGTH and self.share >= LEAST_SHARE


def relevance(text: str, about: Collection[str]) -> Relevance:
    """How far a text is about what these stems name."""
    is_ours = False
    size, strength = 0, 0.0
    remarks = _remarks(text)
    for remark in remarks:
        is_ours = not remark.stems.isdisjoint(about) or (remark.goes_on and is_ours)
        if is_ours:
            size += remark.size
            strength += remark.strength
    return Relevance(size / max(1, sum(remark.size for remark in remarks)), strength)


def strength(text: str) -> float:
    """Praise less blame of all words of a text."""
    return sum(remark.strength for remark in _remarks(text))


@lru_cache(maxsize=20_000)
def _remarks(text: str) -> tuple[_Remark, ...]:
    return tuple(remark for words in sentences(Source(text)) for remark in _of_sentence(words))


def _of_sentence(words: Words) -> Iterator[_Remark]:
    strengths = valence.weigh(words).strengths
    starts = [
        index
        for index in range(len(words))
        if not index
        or words.clauses[index] != words.clauses[index - 1]
        or words.tags[index - 1] in _OPENS_REMARK
    ]
    for start, stop in zip(starts, [*starts[1:], len(words)], strict=True):
        said = [word for word in words.words[start:stop] if word[0].isalnum()]
        yield _Remark(
            len(said),
            frozenset(map(stem, said)),
            sum(strengths[start:stop]),
            bool(start) and (len(said) < LEAST_REMARK or words.tags[start] not in _SUBJECTS),
        )
