"""Fine-tuning of the upper layers, over JAX: the same file for the same lessons and processor.

The lower layers stay as they are, so what they make of each lesson is computed once. One pass over
the lessons, AdamW, a rate that rises and falls in straight lines.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from review_analysis_neural import transformer
from review_analysis_neural.transformer import Heads, Layer, Network
from review_analysis_neural.weights import CLASSES, FloatArray
from tools.analyser.training.neural.lessons import TARGETS, Batch, Lesson, batch, batches
from tools.analyser.training.neural.open_weights import OpenWeights

FROZEN_LAYERS = 4
RATE = 2e-4
HEADS_RATE = 10  # Times that of the layers: the classifiers begin with nothing.
WARM_UP = 0.06  # Of all steps.
DECAY = 0.01
_BETAS = (0.9, 0.999)
_LARGEST_GRADIENT = 1.0
_SEED = 7

Values = Any  # A tree of arrays of JAX, shaped like `Learnt`.


class Learnt(NamedTuple):
    """Weights that change while it learns."""

    layers: list[Layer]
    heads: Heads


class State(NamedTuple):
    """State of AdamW: the means of the gradients and of their squares, and how many there were."""

    learnt: Learnt
    mean: Learnt
    square: Learnt
    number: Values


def fit(taught: Sequence[Lesson], start: OpenWeights, say: Callable[[str], object]) -> Network:
    """Learn from these lessons; `say` takes lines about how far it is."""
    random = np.random.default_rng(_SEED)
    learnt = Learnt(start.layers[FROZEN_LAYERS:], _heads(start.words.shape[1], random))
    below = _below(taught, start)
    say(f"{len(taught):,} lessons have passed the lower layers")
    order = batches(taught, random)
    step = jax.jit(_step)
    nothing = jax.tree.map(jnp.zeros_like, learnt)
    state = State(learnt, nothing, nothing, jnp.float32(0))
    for number, (one, x) in enumerate(_filled(taught, order, below), 1):
        rate = RATE * min(number / (WARM_UP * len(order)), 1.0) * (1 - number / len(order))
        state, loss = step(state, one, x, rate)
        if number % 100 == 0:
            say(f"step {number} of {len(order)}, loss {float(loss):.3f}")
    learnt = jax.tree.map(np.asarray, state.learnt)
    return {
        "words": start.words,
        "positions": start.positions,
        "norm": start.norm,
        "layers": [*start.layers[:FROZEN_LAYERS], *learnt.layers],
        "heads": learnt.heads,
    }


def _heads(width: int, random: np.random.Generator) -> Heads:
    target, sentence = random.normal(0, 0.02, (2, width, CLASSES)).astype(np.float32)
    nothing = np.zeros(CLASSES, np.float32)
    return Heads(
        target=target, target_bias=nothing, sentence=sentence, sentence_bias=nothing.copy()
    )


def _below(taught: Sequence[Lesson], start: OpenWeights) -> list[FloatArray]:
    """Vectors of each lesson's tokens behind the frozen layers."""

    def encode(words: Values, mask: Values) -> Values:
        x = transformer.embed(jnp, words, start.positions, start.norm)
        return transformer.encode(jnp, start.layers[:FROZEN_LAYERS], x, mask)

    run = jax.jit(encode)
    found: list[FloatArray] = [np.empty(0, np.float32)] * len(taught)
    for numbers in batches(taught):
        one = batch(taught, numbers)
        for number, x in zip(
            numbers, np.asarray(run(start.words[one.ids], one.mask)), strict=False
        ):
            found[number] = x[: len(taught[number].ids)].copy()
    return found


def _filled(
    taught: Sequence[Lesson], order: Sequence[list[int]], below: Sequence[FloatArray]
) -> Iterator[tuple[Batch, FloatArray]]:
    for numbers in order:
        one = batch(taught, numbers)
        x = np.zeros((*one.ids.shape, below[0].shape[1]), np.float32)
        for row, number in enumerate(numbers):
            x[row, : len(below[number])] = below[number]
        yield one, x


def _loss(learnt: Learnt, one: Batch, x: Values) -> Values:
    """Cross-entropy of targets and whole texts, each by its weight."""
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


def _step(state: State, one: Batch, x: Values, rate: Values) -> tuple[State, Values]:
    """One step of AdamW, with the gradient held to a largest length."""
    loss, gradient = jax.value_and_grad(_loss)(state.learnt, one, x)
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

    parts = (state.learnt, mean, square)
    layers = jax.tree.map(moved(rate), *(part.layers for part in parts))
    heads = jax.tree.map(moved(rate * HEADS_RATE), *(part.heads for part in parts))
    return State(Learnt(layers, heads), mean, square, number), loss
