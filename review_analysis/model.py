"""The shipped weights of the two linear models, and the name they give the analyser.

`weights.json` is written by `make train-insights`: a feature's name, a target's below its kind,
with its weights for negative and positive in hundredths; the three weights of a feature add up to
nothing, so that the neutral one follows. The number before it rises with the rules.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from review_analysis import features, heads, targets
from review_analysis.features import Feature, ScoredSentence
from review_analysis.segments import Words
from review_analysis.valence import Valences

FILE = Path(__file__).with_name("weights.json")
MODEL = f"rules-linear/1.1+w:{hashlib.sha256(FILE.read_bytes()).hexdigest()[:8]}"

Logits = tuple[float, float, float]  # Of negative, neutral, positive.
Weights = Mapping[str, tuple[float, float]]


class Word(NamedTuple):
    """WordScores weights of a word, for negative and for positive."""

    negative: float
    positive: float
    after: dict[str, tuple[float, float]]  # The same of its pair with the word before.


class SentenceModel(NamedTuple):
    words: Mapping[str, Word]
    sums: Weights


TargetModel = Mapping[str, Weights]  # By the kind of a feature, then by what was seen.


class Model(NamedTuple):
    """Both models: that of a sentence, and that of a target in it."""

    sentence: SentenceModel
    target: TargetModel


@cache
def load() -> Model:
    content = json.loads(FILE.read_bytes())
    return Model(
        sentence_model(_weights(content["sentence"])),
        {kind: _weights(table) for kind, table in content["target"].items()},
    )


def sentence_model(weights: Weights) -> SentenceModel:
    sums = {name: pair for name, pair in weights.items() if name.startswith("=")}
    return SentenceModel(_words_of(weights), sums)


def _words_of(weights: Weights) -> Mapping[str, Word]:
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
    numbers = {number: number / 100 for pair in table.values() for number in pair}
    return {name: (numbers[minus], numbers[plus]) for name, (minus, plus) in table.items()}


def score_sentence(
    known: SentenceModel, words: Words, valences: Valences
) -> tuple[ScoredSentence, Logits]:
    """A sentence as the sentence model takes it: word by word, and as a whole."""
    names = features.feature_names(words, valences)
    by_words = score_words(known.words, names)
    by_sums = logits(known.sums, features.lexicon_features(words, valences))
    negative, neutral, positive = (a + b for a, b in zip(by_words.logits, by_sums, strict=True))
    whole = negative, neutral, positive
    opinion_words = [index for index, strength in enumerate(valences.strengths) if strength]
    head_indexes = [heads.find_head(words, index) for index in opinion_words]
    return ScoredSentence(
        words, valences, names, by_words.values, softmax(whole), opinion_words, head_indexes
    ), whole


def softmax(whole: Logits) -> tuple[float, float, float]:
    """How likely each label is: the softmax of the logits."""
    top = max(whole)
    odds = math.exp(whole[0] - top), math.exp(whole[1] - top), math.exp(whole[2] - top)
    total = sum(odds)
    return odds[0] / total, odds[1] / total, odds[2] / total


def logits(weights: Weights, found: list[Feature]) -> Logits:
    """The weighted sums of the features that the model knows."""
    negative = positive = 0.0
    get = weights.get
    for name, value in found:
        pair = get(name)
        if pair is not None:
            negative += pair[0] * value
            positive += pair[1] * value
    return negative, -negative - positive, positive


def target_logits(weights: TargetModel, found: list[targets.Feature]) -> Logits:
    """The same of the features of a target."""
    negative = positive = 0.0
    for kind, seen, value in found:
        pair = weights[kind].get(seen)
        if pair is not None:
            negative += pair[0] * value
            positive += pair[1] * value
    return negative, -negative - positive, positive


class WordScores(NamedTuple):
    """Output of the sentence model for words."""

    values: list[float]  # Of each word and its pair with the word before: -1.5 to 1.5.
    logits: Logits  # Of all together: those of `features.word_features`.


def score_words(words: Mapping[str, Word], names: list[str]) -> WordScores:
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
    return WordScores(values, (negative, -negative - positive, positive))
