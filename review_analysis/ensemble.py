"""A second model of polarity beside the rules and their linear models; none by default."""

from collections.abc import Sequence
from typing import Protocol

from review_analysis.model import Logits
from review_analysis.segments import Source, Words


class SentenceLogits(Protocol):
    """Logits of a sentence, and of any target in it."""

    whole: Logits

    def of_span(self, start: int, end: int) -> Logits | None:
        """Of the characters start..end of the sentence; None where the model has none."""


class PolarityModel(Protocol):
    """A model that reads the sentences of a review, such as a neural network."""

    name: str

    def read(self, sentences: Sequence[str]) -> Sequence[SentenceLogits | None]:
        """The logits of each sentence; None where the model leaves one to the rules."""


def read_sentences(
    model: PolarityModel | None, source: Source, parts: Sequence[Words]
) -> Sequence[SentenceLogits | None]:
    """The logits of each sentence by the second model, if there is one."""
    if model is None:
        return [None] * len(parts)
    return model.read([source.composed[words.start : words.end] for words in parts])


def span_logits(
    sentence: SentenceLogits | None, words: Words, start: int, end: int
) -> Logits | None:
    """Its logits of the characters start..end of the text, which lie in this sentence."""
    return sentence.of_span(start - words.start, end - words.start) if sentence else None


def combined(ours: Logits, others: Logits | None) -> Logits:
    """Mean of our logits and the other model's, or ours alone where it has none."""
    if others is None:
        return ours
    return (ours[0] + others[0]) / 2, (ours[1] + others[1]) / 2, (ours[2] + others[2]) / 2
