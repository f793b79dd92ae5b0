"""A small transformer encoder (BERT's) over NumPy, or an array library with the same functions.

Training differentiates the functions that reading calls, so both compute the same network.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any, NotRequired, TypedDict

Array = Any  # Of NumPy, or of the library that trains.

HEADS = 12
EPSILON = 1e-12


class Layer(TypedDict):
    """Weights of one layer; those of norms have two rows, scale and shift."""

    attention: Array  # Of queries, keys and values, side by side.
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
    """Weights of the two classifiers: of a target's tokens, and of a whole sentence's."""

    target: Array
    target_bias: Array
    sentence: Array
    sentence_bias: Array


class Network(TypedDict):
    """All weights. `words` may be left out where their vectors are looked up elsewhere."""

    words: NotRequired[Array]
    positions: Array
    norm: Array
    layers: list[Layer]
    heads: Heads


def embed(xp: ModuleType, words: Array, positions: Array, norm: Array) -> Array:
    """First vectors of tokens: of their words and positions; [..., tokens, width]."""
    return _normalised(xp, words + positions[: words.shape[-2]], norm)


def encode(xp: ModuleType, layers: Sequence[Layer], x: Array, mask: Array | None = None) -> Array:
    """Vectors of the tokens behind these layers.

    `mask` is added to the attention: 0 where a token may be looked at, else far below.
    """
    for layer in layers:
        projected = x @ layer["attention"] + layer["attention_bias"]
        attended = _attend(xp, projected, mask) @ layer["out"] + layer["out_bias"]
        x = _normalised(xp, x + attended, layer["out_norm"])
        inner = _gelu(xp, x @ layer["up"] + layer["up_bias"]) @ layer["down"] + layer["down_bias"]
        x = _normalised(xp, x + inner, layer["down_norm"])
    return x


def _attend(xp: ModuleType, projected: Array, mask: Array | None) -> Array:
    """Values of all tokens, weighted by how queries and keys agree, for each head."""
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
    """The usual approximation, which needs no error function."""
    return 0.5 * x * (1.0 + xp.tanh(0.7978845608 * x * (1.0 + 0.044715 * x * x)))
