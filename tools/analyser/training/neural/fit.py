"""Fine-tune all layers with JAX, reproducibly on the same processor.

Training takes one epoch of AdamW with a linear warm-up and decay. Word embeddings stay frozen.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from review_analysis_neural import transformer
from review_analysis_neural.transformer import Heads, Layer, Network
from review_analysis_neural.weights import CLASSES, FloatArray
from tools.analyser.training.neural.batches import (
    TARGETS,
    Batch,
    EncodedText,
    group_by_length,
    make_batch,
)
from tools.analyser.training.neural.open_weights import OpenWeights

RATE = 2e-4
HEADS_RATE = 10  # A multiple of the layers' rate, since the classifiers are untrained.
WARM_UP = 0.06  # Share of all steps.
DECAY = 0.01
_BETAS = (0.9, 0.999)
_LARGEST_GRADIENT = 1.0
_SEED = 7

Values = Any  # A tree of JAX arrays, shaped like `Learnt`.


class Learnt(NamedTuple):
    """Trainable weights."""

    positions: FloatArray
    norm: FloatArray
    layers: list[Layer]
    heads: Heads


class State(NamedTuple):
    """State of AdamW: weights, both moments of the gradients, and number of steps."""

    learnt: Learnt
    mean: Learnt
    square: Learnt
    number: Values


def fit(texts: Sequence[EncodedText], start: OpenWeights, log: Callable[[str], object]) -> Network:
    """Train on these texts; `log` receives lines about progress."""
    random = np.random.default_rng(_SEED)
    learnt = Learnt(start.positions, start.norm, start.layers, _heads(start.words.shape[1], random))
    order = group_by_length(texts, random)
    step = jax.jit(_step)
    nothing = jax.tree.map(jnp.zeros_like, learnt)
    state = State(learnt, nothing, nothing, jnp.float32(0))
    for number, numbers in enumerate(order, 1):
        one = make_batch(texts, numbers)
        rate = RATE * min(number / (WARM_UP * len(order)), 1.0) * (1 - number / len(order))
        state, loss = step(state, one, start.words[one.ids], rate)
        if number % 100 == 0:
            log(f"step {number} of {len(order)}, loss {float(loss):.3f}")
    learnt = jax.tree.map(np.asarray, state.learnt)
    return {
        "words": start.words,
        "positions": learnt.positions,
        "norm": learnt.norm,
        "layers": learnt.layers,
        "heads": learnt.heads,
    }


def _heads(width: int, random: np.random.Generator) -> Heads:
    target, sentence = random.normal(0, 0.02, (2, width, CLASSES)).astype(np.float32)
    nothing = np.zeros(CLASSES, np.float32)
    return Heads(
        target=target, target_bias=nothing, sentence=sentence, sentence_bias=nothing.copy()
    )


def _loss(learnt: Learnt, one: Batch, words: Values) -> Values:
    """Return the weighted cross-entropy of targets and whole texts."""
    x = transformer.embed(jnp, words, learnt.positions, learnt.norm)
    x = transformer.encode(jnp, learnt.layers, x, one.mask)
    pooled = jnp.einsum("ltp,lpw->ltw", one.pools, x)
    heads = learnt.heads
    logits = jnp.concatenate(
        [
            pooled[:, :TARGETS] @ heads["target"] + heads["target_bias"],
            pooled[:, TARGETS:] @ heads["sentence"] + heads["sentence_bias"],
        ],
        axis=1,
    )
    chances = jax.nn.log_softmax(logits)
    right = jnp.take_along_axis(chances, one.labels[..., None], axis=-1)[..., 0]
    return -(right * one.weights).sum() / 32


def _step(state: State, one: Batch, words: Values, rate: Values) -> tuple[State, Values]:
    """Take one step of AdamW with gradient clipping."""
    loss, gradient = jax.value_and_grad(_loss)(state.learnt, one, words)
    length = jnp.sqrt(sum((g * g).sum() for g in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(
        lambda g: g * jnp.minimum(1, _LARGEST_GRADIENT / (length + 1e-6)), gradient
    )
    first, second = _BETAS
    number = state.number + 1
    mean = jax.tree.map(lambda m, g: first * m + (1 - first) * g, state.mean, gradient)
    square = jax.tree.map(lambda s, g: second * s + (1 - second) * g * g, state.square, gradient)

    def moved(rate: Values) -> Callable[[Values, Values, Values], Values]:
        def move(w: Values, m: Values, s: Values) -> Values:
            spread = jnp.sqrt(s / (1 - second**number)) + 1e-8
            return w - rate * (m / (1 - first**number) / spread + DECAY * w)

        return move

    rates = Learnt(rate, rate, rate, rate * HEADS_RATE)
    parts = zip(rates, state.learnt, mean, square, strict=True)
    learnt = Learnt(*(jax.tree.map(moved(each), *trees) for each, *trees in parts))
    return State(learnt, mean, square, number), loss
