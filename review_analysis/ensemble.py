"""Interface of an optional second model of polarity, averaged with the linear models."""

from collections.abc import Sequence
from typing import Protocol

from review_analysis.model import Logits
from review_analysis.segments import Source, Words


class SentenceLogits(Protocol):
    """Logits of a sentence and of spans in it."""

    whole: Logits

    def of_span(self, start: int, end: int) -> Logits | None:
        """Return the logits of the characters start..end of the sentence, if any."""


class PolarityModel(Protocol):
    """Model of the polarity of sentences, such as a neural network."""

    name: str

    def read(self, sentences: Sequence[str]) -> Sequence[SentenceLogits | None]:
        """Return the logits of each sentence, None for one that the model skips."""


def read_sentences(
    model: PolarityModel | None, source: Source, parts: Sequence[Words]
) -> Sequence[SentenceLogits | None]:
    """Return the second model's logits of each sentence, None without such a model."""
    if model is None:
        return [None] * len(parts)
    return model.read([source.composed[words.start : words.end] for words in parts])


def span_logits(
    sentence: SentenceLogits | None, words: Words, start: int, end: int
) -> Logits | None:
    """Return the logits of the characters start..end of the text, a part of the sentence."""
    return sentence.of_span(start - words.start, end - words.start) if sentence else None


def combined(ours: Logits, others: Logits | None) -> Logits:
    """Average both logits. If the second model has none, return the first ones unchanged."""
    if others is None:
        return ours
    return (ours[0] + others[0]) / 2, (ours[1] + others[1]) / 2, (ours[2] + others[2]) / 2
