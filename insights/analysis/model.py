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


class Word(NamedTuple):
    """What the sentence model has learnt about a word, for negative and for positive."""

    negative: float
    positive: float
    after: dict[str, tuple[float, float]]  # The same of its pair with the word before.


class Model(NamedTuple):
    """Both models: that of a sentence (its words, and their sums), and that of a target in it."""

    words: Mapping[str, Word]
    sums: Weights
    target: Weights


@cache
def load() -> Model:
    content = json.loads(FILE.read_bytes())
    sentence = _weights(content["sentence"])
    sums = {name: pair for name, pair in sentence.items() if name.startswith("=")}
    return Model(words_of(sentence), sums, _weights(content["target"]))


def words_of(weights: Weights) -> Mapping[str, Word]:
    """The words and pairs of a sentence model, by the word."""
    words: dict[str, Word] = {}
    for name, pair in weights.items():
        previous, _, word = name.rpartition(" ")
        if not previous:
            words[word] = Word(*pair, {})
    for name, pair in weights.items():
        previous, _, word = name.rpartition(" ")
        if previous:
            words.setdefault(word, Word(0.0, 0.0, {})).after[previous] = pair
    return words


def _weights(table: Mapping[str, list[int]]) -> Weights:
    # Each number is held once: few differ, and there are very many.
    numbers = {number: number / 1000 for pair in table.values() for number in pair}
    return {name: (numbers[minus], numbers[plus]) for name, (minus, plus) in table.items()}


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


def learnt(words: Mapping[str, Word], names: list[str]) -> Learnt:
    """The words of a sentence, as the sentence model weighs them."""
    values: list[float] = []
    negative = positive = 0.0
    previous = "^"
    for name in names:
        value = 0.0
        if (word := words.get(name)) is not None:
            minus, plus, after = word
            negative += minus
            positive += plus
            value = plus - minus
            if (pair := after.get(previous)) is not None:
                minus, plus = pair
                negative += minus
                positive += plus
                value += plus - minus
        values.append(value / 2 if -3.0 < value < 3.0 else math.copysign(1.5, value))
        previous = name
    return Learnt(values, (negative, -negative - positive, positive))
