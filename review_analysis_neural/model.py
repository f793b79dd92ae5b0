"""Compute logits of sentences and targets by a small fine-tuned transformer.

`NeuralModel` is a `review_analysis.ensemble.PolarityModel`. It reads each sentence on its own, in
one thread, and rounds logits to hundredths. Results therefore do not depend on other sentences or
the number of processors, and hardly ever on their type.
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

MAX_TOKENS = 2_000  # Of a review; further sentences have no logits.
PACKAGE = "review-analysis-neural"


def shipped_weights() -> Path:
    """Path of the weights of the installed package; a source checkout has no such file."""
    name = "review_analysis_neural/weights.npz"
    try:
        return Path(str(metadata.distribution(PACKAGE).locate_file(name)))
    except metadata.PackageNotFoundError:
        return Path(__file__).with_name("weights.npz")


def _encoder(layers: Sequence[Layer]) -> tuple[str, Callable[[FloatArray], FloatArray]]:
    """Return the name of the arithmetic, and the function that computes the layers."""
    if layers and all(find_spec(name) for name in ("onnx", "onnxruntime")):
        from review_analysis_neural.onnx_network import encoder  # noqa: PLC0415  (an extra)

        return "minilm-int8", encoder(layers)
    return "minilm", partial(transformer.encode, np, layers)


class SentenceLogits:
    """Logits of a sentence and of its tokens."""

    def __init__(self, whole: Logits, tokens: Tokens, of_tokens: FloatArray) -> None:
        self.whole = whole
        self._tokens = tokens
        self._of_tokens = of_tokens

    def of_span(self, start: int, end: int) -> Logits | None:
        """Logits of a target; None beyond `tokenizer.MAX_TOKENS`."""
        indices = self._tokens.within(start, end)
        return _rounded(self._of_tokens[indices].mean(axis=0)) if indices else None


class NeuralModel:
    """A network with the weights of one file."""

    def __init__(self, content: Weights) -> None:
        arithmetic, self._encode = _encoder(content.network["layers"])
        self.name = f"{arithmetic}:{content.sha256[:8]}"
        self._tokenizer = Tokenizer(content.vocabulary)
        self._words = content.words
        self._network = content.network
        self._threads = ThreadpoolController()

    @classmethod
    def load(cls, path: Path | None = None, sha256: str = "") -> "NeuralModel":
        """Load a file of weights, by default the package's. Raises `WeightsRefused`."""
        return cls(weights.read(path or shipped_weights(), sha256))

    def read(self, sentences: Sequence[str]) -> list[SentenceLogits | None]:
        """Compute the logits of each sentence of a review; None beyond `MAX_TOKENS`."""
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
