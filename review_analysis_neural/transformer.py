"""A small transformer encoder (BERT's) for NumPy or a compatible array library.

Training and inference call the same functions.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any, NotRequired, TypedDict

Array = Any  # Of NumPy, or of the training library.

HEADS = 12
EPSILON = 1e-12


class Layer(TypedDict):
    """Weights of one layer. A norm has two rows, scale and shift."""

    attention: Array  # Queries, keys and values, side by side.
    attention_bias: Array
    out: Array
    out_bias: Array
    out_norm: Array
    up: Array
    up_bias: Array
    down: Array
    down_bias: Array
    down_norm: Array


class Heads(TypedDict):
    """Weights of the two classifiers, for targets and for sentences."""

    target: Array
    target_bias: Array
    sentence: Array
    sentence_bias: Array


class Network(TypedDict):
    """All weights. `words` is missing if the caller looks up the vectors of words."""

    words: NotRequired[Array]
    positions: Array
    norm: Array
    layers: list[Layer]
    heads: Heads


def embed(xp: ModuleType, words: Array, positions: Array, norm: Array) -> Array:
    """Compute the input vectors from words and positions; shape [..., tokens, width]."""
    return _normalised(xp, words + positions[: words.shape[-2]], norm)


def encode(xp: ModuleType, layers: Sequence[Layer], x: Array, mask: Array | None = None) -> Array:
    """Compute the output vectors of these layers.

    `mask` is added to the attention weights: 0 for visible tokens, far below 0 for padding.
    """
    for layer in layers:
        projected = x @ layer["attention"] + layer["attention_bias"]
        attended = _attend(xp, projected, mask) @ layer["out"] + layer["out_bias"]
        x = _normalised(xp, x + attended, layer["out_norm"])
        inner = _gelu(xp, x @ layer["up"] + layer["up_bias"]) @ layer["down"] + layer["down_bias"]
        x = _normalised(xp, x + inner, layer["down_norm"])
    return x


def _attend(xp: ModuleType, projected: Array, mask: Array | None) -> Array:
    """Compute multi-head attention."""
    *outer, tokens, width = projected.shape
    size = width // 3 // HEADS
    split = projected.reshape(*outer, tokens, 3, HEADS, size)
    query, key, value = (split[..., part, :, :].swapaxes(-3, -2) for part in range(3))
    weights = query @ key.swapaxes(-1, -2) / size**0.5
    if mask is not None:
        weights = weights + mask
    weights = xp.exp(weights - weights.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return (weights @ value).swapaxes(-3, -2).reshape(*outer, tokens, HEADS * size)


def _normalised(xp: ModuleType, x: Array, scale_and_shift: Array) -> Array:
    x = x - x.mean(axis=-1, keepdims=True)
    variance = (x * x).mean(axis=-1, keepdims=True)
    return x / xp.sqrt(variance + EPSILON) * scale_and_shift[0] + scale_and_shift[1]


def _gelu(xp: ModuleType, x: Array) -> Array:
    """Approximate GELU by a hyperbolic tangent."""
    return 0.5 * x * (1.0 + xp.tanh(0.7978845608 * x * (1.0 + 0.044715 * x * x)))
