"""The shipped weights of the two linear models, and the name they give the analyser.

`weights.json` is written by `make train-insights`: a feature's name with its weights for negative
and positive in thousandths; the three weights of a feature add up to nothing, so that the neutral
one follows.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from insights.analysis.features import Feature

FILE = Path(__file__).with_name("weights.json")
MODEL = f"rules-linear/1.0+w:{hashlib.sha256(FILE.read_bytes()).hexdigest()[:8]}"

Logits = tuple[float, float, float]  # Of negative, neutral, positive.
Weights = Mapping[str, tuple[float, float]]


class Model(NamedTuple):
    """Both models: that of a sentence, and that of a target in it."""

    sentence: Weights
    target: Weights


@cache
def load() -> Model:
    content = json.loads(FILE.read_bytes())
    return Model(_weights(content["sentence"]), _weights(content["target"]))


def _weights(table: Mapping[str, list[int]]) -> Weights:
    return {name: (minus / 1000, plus / 1000) for name, (minus, plus) in table.items()}


def logits(weights: Weights, features: list[Feature]) -> Logits:
    """The weighted sums of the features that the model knows."""
    negative = positive = 0.0
    get = weights.get
    for name, value in features:
        pair = get(name)
        if pair is not None:
            negative += pair[0] * value
            positive += pair[1] * value
    return negative, -negative - positive, positive


class Learnt(NamedTuple):
    """What the sentence model makes of words."""

    values: list[float]  # Of each word and its pair with the word before: -1.5 to 1.5.
    logits: Logits  # Of all together: those of `features.of_words`.


def learnt(weights: Weights, names: list[str]) -> Learnt:
    """The words of a sentence, as the sentence model weighs them."""
    values: list[float] = []
    negative = positive = 0.0
    get = weights.get
    previous = "^"
    for name in names:
        value = 0.0
        if name:
            if (pair := get(name)) is not None:
                negative += pair[0]
                positive += pair[1]
                value = pair[1] - pair[0]
            if previous and (pair := get(previous + " " + name)) is not None:
                negative += pair[0]
                positive += pair[1]
                value += pair[1] - pair[0]
        values.append(value / 2 if -3.0 < value < 3.0 else math.copysign(1.5, value))
        previous = name
    return Learnt(values, (negative, -negative - positive, positive))
