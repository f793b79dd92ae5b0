"""Linear models of sentences and targets, with their shipped weights.

`make train-insights` writes `weights.json`: the weights of each feature for negative and positive
in hundredths. The three weights of a feature add up to 0, which gives the neutral one.
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
# Increase the version when the rules change.
MODEL = f"rules-linear/1.1+w:{hashlib.sha256(FILE.read_bytes()).hexdigest()[:8]}"

Logits = tuple[float, float, float]  # Of negative, neutral, positive.
Weights = Mapping[str, tuple[float, float]]


class Word(NamedTuple):
    """Weights of a word and of its pairs with preceding words."""

    negative: float
    positive: float
    after: dict[str, tuple[float, float]]  # By the preceding word.


class SentenceModel(NamedTuple):
    words: Mapping[str, Word]
    sums: Weights


TargetModel = Mapping[str, Weights]  # By the kind of a feature.


class Model(NamedTuple):
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
    """Index the features of words and pairs of words by the word."""
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
    # Share the float objects: the table has many entries and few distinct numbers.
    numbers = {number: number / 100 for pair in table.values() for number in pair}
    return {name: (numbers[minus], numbers[plus]) for name, (minus, plus) in table.items()}


def score_sentence(
    known: SentenceModel, words: Words, valences: Valences
) -> tuple[ScoredSentence, Logits]:
    """Score the words of a sentence and the whole sentence."""
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


def softmax(logits: Logits) -> tuple[float, float, float]:
    top = max(logits)
    odds = math.exp(logits[0] - top), math.exp(logits[1] - top), math.exp(logits[2] - top)
    total = sum(odds)
    return odds[0] / total, odds[1] / total, odds[2] / total


def logits(weights: Weights, found: list[Feature]) -> Logits:
    """Return the weighted sums of the known features."""
    negative = positive = 0.0
    get = weights.get
    for name, value in found:
        pair = get(name)
        if pair is not None:
            negative += pair[0] * value
            positive += pair[1] * value
    return negative, -negative - positive, positive


def target_logits(weights: TargetModel, found: list[targets.Feature]) -> Logits:
    """Return the weighted sums of the known features of a target."""
    negative = positive = 0.0
    for kind, seen, value in found:
        pair = weights[kind].get(seen)
        if pair is not None:
            negative += pair[0] * value
            positive += pair[1] * value
    return negative, -negative - positive, positive


class WordScores(NamedTuple):
    """Score of each word with its preceding word (-1.5 to 1.5), and logits of all words."""

    values: list[float]
    logits: Logits  # Equal to the logits of `features.word_features`.


def score_words(words: Mapping[str, Word], names: list[str]) -> WordScores:
    """Score the words of a sentence."""
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
