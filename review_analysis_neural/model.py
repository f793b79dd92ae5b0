"""Logits of sentences and of the targets in them, by a small fine-tuned transformer.

It is a `review_analysis.ensemble.PolarityModel`. Each sentence is read once, by itself and on one
thread, and logits are rounded to hundredths: neither neighbours nor the number of processors, and
hardly ever the kind of processor, make a difference to what is stored.
"""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from threadpoolctl import ThreadpoolController

from review_analysis.model import Logits
from review_analysis_neural import transformer, weights
from review_analysis_neural.tokenizer import Tokenizer, Tokens
from review_analysis_neural.transformer import Layer
from review_analysis_neural.weights import FloatArray, Weights

MAX_TOKENS = 2_000  # Of a review; the sentences beyond are left to the other model.
PACKAGE = "review-analysis-neural"


def shipped_weights() -> Path:
    """Where the installed package has its weights; there is no such file in a source checkout."""
    name = "review_analysis_neural/weights.npz"
    try:
        return Path(str(metadata.distribution(PACKAGE).locate_file(name)))
    except metadata.PackageNotFoundError:
        return Path(__file__).with_name("weights.npz")


def _encoder(layers: Sequence[Layer]) -> tuple[str, Callable[[FloatArray], FloatArray]]:
    """The name of the arithmetic, and what computes the layers by it."""
    if layers and all(find_spec(name) for name in ("onnx", "onnxruntime")):
        from review_analysis_neural.onnx_network import encoder  # noqa: PLC0415  (an extra)

        return "minilm-int8", encoder(layers)
    return "minilm", partial(transformer.encode, np, layers)


class SentenceLogits:
    """Logits of a sentence, and those of its tokens."""

    def __init__(self, whole: Logits, tokens: Tokens, of_tokens: FloatArray) -> None:
        self.whole = whole
        self._tokens = tokens
        self._of_tokens = of_tokens

    def of_span(self, start: int, end: int) -> Logits | None:
        """The logits of a target; None where it lies beyond the tokens that are read."""
        found = self._tokens.within(start, end)
        return _rounded(self._of_tokens[found].mean(axis=0)) if found else None


class NeuralModel:
    """Reads sentences with the weights of one file."""

    def __init__(self, content: Weights) -> None:
        arithmetic, self._encode = _encoder(content.network["layers"])
        self.name = f"{arithmetic}:{content.sha256[:8]}"
        self._tokenizer = Tokenizer(content.vocabulary)
        self._words = content.words
        self._network = content.network
        self._threads = ThreadpoolController()

    @classmethod
    def load(cls, path: Path | None = None, sha256: str = "") -> "NeuralModel":
        """Load a file of weights, or those of the package. Raises `WeightsRefused`."""
        return cls(weights.read(path or shipped_weights(), sha256))

    def read(self, sentences: Sequence[str]) -> list[SentenceLogits | None]:
        """The logits of each sentence of a review, None for those beyond `MAX_TOKENS`."""
        found: list[SentenceLogits | None] = []
        left = MAX_TOKENS
        with self._threads.limit(limits=1, user_api="blas"):
            for sentence in sentences:
                tokens = self._tokenizer.tokens(sentence) if left > 0 else None
                left -= len(tokens.ids) if tokens else 0
                found.append(self._logits(tokens) if tokens and left >= 0 else None)
        return found

    def _logits(self, tokens: Tokens) -> SentenceLogits:
        network, heads = self._network, self._network["heads"]
        words = self._words[tokens.ids]
        x = transformer.embed(np, words, network["positions"], network["norm"])
        x = self._encode(x)
        whole = x.mean(axis=0) @ heads["sentence"] + heads["sentence_bias"]
        of_tokens = x @ heads["target"] + heads["target_bias"]
        return SentenceLogits(_rounded(whole), tokens, of_tokens)


def _rounded(logits: FloatArray) -> Logits:
    negative, neutral, positive = (round(float(value), 2) for value in logits)
    return negative, neutral, positive
