"""Convert labelled texts to batches of tokens and targets."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from review_analysis_neural.tokenizer import Tokenizer
from review_analysis_neural.weights import FloatArray
from tools.analyser.training.datasets import Examples, SentenceExample, TargetExample, balanced

MAX_TOKENS = 64  # Few sentences are longer.
TARGETS = 6  # Per encoded text; a text with more targets is encoded several times.
BATCH_TOKENS = 1_024
_SIZES = (16, 24, 40, MAX_TOKENS)  # Texts of a batch are padded to one of these lengths.
IntArray = np.ndarray[tuple[int, ...], np.dtype[np.int32]]


class EncodedText(NamedTuple):
    """A text with labelled targets, and a label of the whole text if `weight` is not 0."""

    ids: list[int]
    targets: list[tuple[int, int, int, float]]  # First token, last + 1, label, weight.
    label: int
    weight: float


class Batch(NamedTuple):
    """Padded texts. The last label and weight of each row are those of the whole text."""

    ids: IntArray  # [texts, tokens]
    mask: FloatArray  # Added to the attention: 0, or a large negative number for padding.
    pools: FloatArray  # [texts, TARGETS + 1, tokens]: weights of the mean over tokens.
    labels: IntArray
    weights: FloatArray


def encode_texts(examples: Examples, tokenizer: Tokenizer) -> list[EncodedText]:
    """Encode all texts, those with targets first."""
    targets: dict[str, list[TargetExample]] = defaultdict(list)
    for target in examples.targets:
        targets[target.text].append(target)
    whole: dict[str, tuple[SentenceExample, float]] = {}
    for example, weight in zip(examples.sentences, balanced(examples.sentences), strict=True):
        whole.setdefault(example.text, (example, weight))
    return [
        encoded
        for text in dict.fromkeys([*targets, *whole])
        for encoded in _encode_text(text, targets.get(text, []), whole.get(text), tokenizer)
    ]


def _encode_text(
    text: str,
    targets: Sequence[TargetExample],
    whole: tuple[SentenceExample, float] | None,
    tokenizer: Tokenizer,
) -> Iterator[EncodedText]:
    tokens = tokenizer.tokens(text, MAX_TOKENS)
    spans = [
        (within[0], within[-1] + 1, target.label, target.weight)
        for target in targets
        if (within := tokens.within(target.start, target.end))
    ]
    label, weight = (whole[0].label, whole[1]) if whole else (0, 0.0)
    for start in range(0, max(1, len(spans)), TARGETS):
        yield EncodedText(
            tokens.ids, spans[start : start + TARGETS], label, 0.0 if start else weight
        )


def group_by_length(
    texts: Sequence[EncodedText], random: np.random.Generator | None = None
) -> list[list[int]]:
    """Group texts of similar length; order batches randomly, or the shortest first."""
    by_size: dict[int, list[int]] = defaultdict(list)
    for number, encoded in enumerate(texts):
        by_size[_size(encoded)].append(number)
    found: list[list[int]] = []
    for size, numbers in sorted(by_size.items()):
        if random:
            random.shuffle(numbers)
        count = BATCH_TOKENS // size
        found += [numbers[start : start + count] for start in range(0, len(numbers), count)]
    if random:
        random.shuffle(found)
    return found


def _size(encoded: EncodedText) -> int:
    return next(size for size in _SIZES if len(encoded.ids) <= size)


def make_batch(texts: Sequence[EncodedText], numbers: list[int]) -> Batch:
    """Pad texts to arrays of one of a few shapes."""
    size = _size(texts[numbers[0]])
    count = BATCH_TOKENS // size
    ids = np.zeros((count, size), np.int32)
    mask = np.full((count, 1, 1, size), -1e4, np.float32)
    pools = np.zeros((count, TARGETS + 1, size), np.float32)
    labels = np.zeros((count, TARGETS + 1), np.int32)
    weights = np.zeros((count, TARGETS + 1), np.float32)
    for row, number in enumerate(numbers):
        encoded = texts[number]
        length = len(encoded.ids)
        ids[row, :length] = encoded.ids
        mask[row, :, :, :length] = 0
        for column, (first, end, label, weight) in enumerate(encoded.targets):
            pools[row, column, first:end] = 1 / (end - first)
            labels[row, column], weights[row, column] = label, weight
        pools[row, TARGETS, :length] = 1 / length
        labels[row, TARGETS], weights[row, TARGETS] = encoded.label, encoded.weight
    return Batch(ids, mask, pools, labels, weights)
