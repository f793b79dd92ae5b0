"""Logits of sentences and of the targets in them, by a small fine-tuned transformer.

It is a `review_analysis.ensemble.PolarityModel`. Each sentence is read once, by itself and on one
thread, and logits are rounded to hundredths: neither neighbours nor the number of processors, and
hardly ever the kind of processor, make a difference to what is stored.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from threadpoolctl import ThreadpoolController

from review_analysis.model import Logits
from review_analysis_neural import transformer, weights
from review_analysis_neural.tokenizer import Pieces, Tokenizer
from review_analysis_neural.weights import FloatArray, Weights

MAX_PIECES = 2_000  # Of a review; the sentences beyond are left to the other model.


class SentenceLogits:
    """Logits of a sentence, and those of its pieces."""

    def __init__(self, whole: Logits, pieces: Pieces, of_pieces: FloatArray) -> None:
        self.whole = whole
        self._pieces = pieces
        self._of_pieces = of_pieces

    def of_span(self, start: int, end: int) -> Logits | None:
        """The logits of a target; None where it lies beyond the pieces that are read."""
        found = self._pieces.within(start, end)
        return _rounded(self._of_pieces[found].mean(axis=0)) if found else None


class NeuralModel:
    """Reads sentences with the weights of one file."""

    def __init__(self, content: Weights) -> None:
        self.name = f"minilm:{content.sha256[:8]}"
        self._tokenizer = Tokenizer(content.vocabulary)
        self._words = content.words
        self._network = content.network
        self._threads = ThreadpoolController()

    @classmethod
    def load(cls, path: Path, sha256: str = "") -> "NeuralModel":
        """Load a file of weights. Raises `WeightsRefused`."""
        return cls(weights.read(path, sha256))

    def read(self, sentences: Sequence[str]) -> list[SentenceLogits | None]:
        """The logits of each sentence of a review, None for those beyond `MAX_PIECES`."""
        found: list[SentenceLogits | None] = []
        left = MAX_PIECES
        with self._threads.limit(limits=1, user_api="blas"):
            for sentence in sentences:
                pieces = self._tokenizer.pieces(sentence) if left > 0 else None
                left -= len(pieces.ids) if pieces else 0
                found.append(self._logits(pieces) if pieces and left >= 0 else None)
        return found

    def _logits(self, pieces: Pieces) -> SentenceLogits:
        heads = self._network["heads"]
        x = transformer.embed(np, self._network, self._words[pieces.ids])
        x = transformer.encode(np, self._network["layers"], x)
        whole = x.mean(axis=0) @ heads["sentence"] + heads["sentence_bias"]
        of_pieces = x @ heads["target"] + heads["target_bias"]
        return SentenceLogits(_rounded(whole), pieces, of_pieces)


def _rounded(logits: FloatArray) -> Logits:
    negative, neutral, positive = (round(float(value), 2) for value in logits)
    return negative, neutral, positive
