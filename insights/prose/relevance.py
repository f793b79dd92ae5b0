"""Whether a sentence says of its subject what it is quoted for."""

from collections.abc import Collection, Iterator
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
NEAR = 4  # Words between a name and the words that judge it.

_SUBJECTS = frozenset("nDR#PW")  # That begin a remark with a subject of its own.
_VERBS = frozenset("CHV")
_CONSEQUENCE = frozenset("so because since unless until if".split())


class _Remark(NamedTuple):
    """A part of a sentence about one thing: "nice rides", "the food was cold"."""

    stems: tuple[str, ...]
    strengths: tuple[float, ...]  # Praise less blame of each word.
    verb: int  # The number of words before the verb or preposition: its subject.
    goes_on: bool  # About the remark before.
    has_noun: bool

    def judged(self, about: Collection[str]) -> float | None:
        """Praise less blame of what these stems name; None where it is not named."""
        naming = [index for index, each in enumerate(self.stems) if each in about]
        if not naming:
            return None
        return sum(
            strength
            for index, strength in enumerate(self.strengths)
            if any(name < self.verb <= index or abs(index - name) <= NEAR for name in naming)
        )


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
    is_ours = False
    size, strength = 0, 0.0
    remarks = _remarks(text)
    for remark in remarks:
        judged = remark.judged(about)
        is_ours = judged is not None or (is_ours and remark.goes_on)
        if is_ours:
            size += len(remark.stems)
            if judged is None:
                judged = 0.0 if remark.has_noun else sum(remark.strengths)
            strength += judged
    return Relevance(size / max(1, sum(len(each.stems) for each in remarks)), strength)


def says(text: str, label: Label) -> bool:
    """Whether the words of a text praise or blame as `label`, whatever they are about."""
    return Relevance(1, sum(sum(remark.strengths) for remark in _remarks(text))).says(label)


def blames(text: str) -> bool:
    """Whether a remark of a text blames something."""
    return any(sum(remark.strengths) <= -PLAIN for remark in _remarks(text))


@lru_cache(maxsize=20_000)
def _remarks(text: str) -> tuple[_Remark, ...]:
    return tuple(remark for words in sentences(Source(text)) for remark in _of_sentence(words))


def _of_sentence(words: Words) -> Iterator[_Remark]:
    strengths = valence.weigh(words).strengths
    starts = [index for index in range(len(words)) if _begins(words, index)]
    for start, stop in pairwise([*starts, len(words)]):
        said = [index for index in range(start, stop) if words.words[index][0].isalnum()]
        tags = [words.tags[index] for index in said]
        verb = next((at for at, tag in enumerate(tags) if tag in "CHVP"), len(said))
        is_short = len(said) < LEAST_REMARK
        yield _Remark(
            tuple(_stem(words, index) for index in said),
            tuple(strengths[index] for index in said),
            verb,
            start > 0 and not _hangs_on(words, start) and (is_short or tags[0] not in _SUBJECTS),
            any(first in "DA#" and second == "n" for first, second in pairwise(tags)),
        )


def _begins(words: Words, index: int) -> bool:
    """Whether a remark begins there."""
    return (
        index == 0
        or words.clauses[index] != words.clauses[index - 1]
        or words.tags[index - 1] in ",&B"
        or (_hangs_on(words, index) and words.tags[index - 1] != "V")  # "I love how they".
    )


def _hangs_on(words: Words, index: int) -> bool:
    """Whether a clause begins there that is about something else: "people who know nothing"."""
    word, after = words.words[index], words.tags[index + 1] if index + 1 < len(words) else "."
    is_speaker = word in {"i", "we"} and index > 0 and words.tags[index - 1] in "AV"
    if is_speaker:  # "Made sure I knew".
        return after in _VERBS
    opens = (words.tags[index] == "W" and word != "what") or word in _CONSEQUENCE
    return opens and after in "CHVRDn"


def _stem(words: Words, index: int) -> str:
    """The stem of a word; none of "the park", which is no parking."""
    is_place = words.words[index] == "park" and words.tags[max(0, index - 1)] in "DAn"
    return "" if is_place else stem(words.words[index])
