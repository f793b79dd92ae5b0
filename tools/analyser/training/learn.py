"""Train the weights: two linear models, reproducible byte for byte.

The sentence model is trained first. The target model uses its weights of the words around a target.
Cross-fitting keeps the target model from trusting these too much: each text is scored by a
sentence model that was not trained on it.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from review_analysis import features, model, targets, valence
from review_analysis.features import Feature
from review_analysis.model import SentenceModel
from review_analysis.segments import Source, Words, sentences
from review_analysis.valence import Valences
from tools.analyser.training.datasets import (
    NEGATIVE,
    NEUTRAL,
    POSITIVE,
    Examples,
    SentenceExample,
    TargetExample,
    balanced,
)

Table = dict[str, list[int]]  # Of features, in hundredths.
Row = list[Feature]
Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

_FOLDS = 3
# Sentences with several targets are rare; guesses, and opinions that are targets, are many.
_SEVERAL, _WEAK = {"restaurants": 1.35}, 0.75


class Tables(TypedDict):
    """Content of the weights' file."""

    sentence: Table
    target: dict[str, Table]  # By the kind of a feature.


class Strength(NamedTuple):
    """Hyperparameters of a model."""

    keep: int  # Number of features, the most important ones.
    penalty: float  # Inverse of the L2 penalty.
    least: int  # Minimum number of examples of a feature.
    focus: float  # Strength of the preference for one-sided words, from 0 to 1.


class _TrainingSet(NamedTuple):
    """Examples as rows of features, with labels and weights."""

    rows: list[Row]
    labels: list[int]
    weights: list[float]


SENTENCE = Strength(keep=23_200, penalty=0.06, least=3, focus=0.8)
TARGET = Strength(keep=30_000, penalty=0.12, least=5, focus=0.5)
_ONE_SIDED = (0.15, 2.0)  # Bounds.
_SUMS = frozenset("=@<>")  # First characters of names of sums and of parts of speech.


def learn(examples: Examples) -> Tables:
    """Train both models."""
    with threadpool_limits(1):  # Threads would change the order of floating-point sums.
        return _learn(examples)


def _learn(examples: Examples) -> Tables:
    texts = _Texts()
    folds = {
        text: n % _FOLDS for n, text in enumerate(dict.fromkeys(e.text for e in examples.sentences))
    }
    rows = [texts.sentence_row(example) for example in examples.sentences]
    table = _fit_sentences(examples.sentences, rows)
    by_fold = []
    for fold in range(_FOLDS):
        others = [n for n, e in enumerate(examples.sentences) if folds[e.text] != fold]
        by_fold.append(
            _as_model(
                _fit_sentences([examples.sentences[n] for n in others], [rows[n] for n in others])
            )
        )
    whole = _as_model(table)
    target_rows = [
        texts.target_row(e, by_fold[folds[e.text]] if e.text in folds else whole)
        for e in examples.targets
    ]
    of_targets = _fit_targets(examples.targets, target_rows)
    return {"sentence": table, "target": _by_kind(of_targets)}


def _by_kind(table: Table) -> dict[str, Table]:
    """Group the table of targets by kind of feature, as the analyser looks features up."""
    kinds: dict[str, Table] = {}
    for name, pair in table.items():
        kind, _, seen = name.partition(" ")
        kinds.setdefault(kind, {})[seen] = pair
    return kinds


def _fit_sentences(examples: Sequence[SentenceExample], rows: list[Row]) -> Table:
    return _fit(_TrainingSet(rows, [e.label for e in examples], balanced(examples)), SENTENCE)


def _fit_targets(examples: Sequence[TargetExample], rows: list[Row]) -> Table:
    weights = [
        e.weight * (_SEVERAL.get(e.domain, 1.0) if e.weight >= 1 else _WEAK) for e in examples
    ]
    return _fit(_TrainingSet(rows, [e.label for e in examples], weights), TARGET)


def _as_model(table: Table) -> SentenceModel:
    return model.sentence_model(
        {name: (minus / 100, plus / 100) for name, (minus, plus) in table.items()}
    )


# --- Texts as rows of features --------------------------------------------------------------------


class _Texts:
    """Cache of texts, split into sentences with valences and features."""

    def __init__(self) -> None:
        self._read: dict[str, list[tuple[Words, Valences, list[str]]]] = {}

    def _sentences(self, text: str) -> list[tuple[Words, Valences, list[str]]]:
        if text not in self._read:
            self._read[text] = []
            for words in sentences(Source(text)):
                valences = valence.weigh(words)
                self._read[text].append((words, valences, features.feature_names(words, valences)))
        return self._read[text]

    def sentence_row(self, example: SentenceExample) -> Row:
        row: Row = []
        for words, valences, names in self._sentences(example.text):
            row += features.word_features(names)
            row += features.lexicon_features(words, valences)
        return row

    def target_row(self, example: TargetExample, known: SentenceModel) -> Row:
        parts = self._sentences(example.text)
        begun = [part for part in parts if part[0].start <= example.start]
        words, valences, _ = begun[-1] if begun else parts[0]
        scored, _ = model.score_sentence(known, words, valences)
        first, last = words.at(example.start, example.end)
        found = targets.clause_features(scored, words.clauses[first])
        found += targets.target_features(scored, first, last)
        return [(f"{kind} {seen}", value) for kind, seen, value in found]


# --- The fit --------------------------------------------------------------------------------------


def _fit(examples: _TrainingSet, strength: Strength) -> Table:
    """Fit all features, keep the most important ones, and fit again."""
    counts = Counter(name for row in examples.rows for name in dict(row))
    names = sorted(name for name, count in counts.items() if count >= strength.least)
    coefficients = _coefficients(examples, names, strength)
    if len(names) > strength.keep:
        worth = np.abs(coefficients).max(axis=0) * np.sqrt([counts[name] for name in names])
        # Names break ties; rounding makes the order independent of the last digits of sums.
        order = sorted(range(len(names)), key=lambda n: (-round(float(worth[n]), 6), names[n]))
        names = sorted(names[n] for n in order[: strength.keep])
        coefficients = _coefficients(examples, names, strength)
    table: Table = {}
    for name, (minus, neutral, plus) in zip(names, coefficients.T, strict=True):
        mean = (minus + neutral + plus) / 3
        pair = [round(float(minus - mean) * 100), round(float(plus - mean) * 100)]
        if any(pair):
            table[name] = pair
    return table


def _coefficients(examples: _TrainingSet, names: list[str], strength: Strength) -> Numbers:
    """Return the weights of the features for each label."""
    matrix = _matrix(examples.rows, names)
    scales = _one_sidedness(matrix, names, examples) ** strength.focus
    # The tolerance is small enough for equal results on all processors after rounding.
    fitted = LogisticRegression(
        C=strength.penalty, solver="newton-cg", max_iter=1000, tol=1e-12, fit_intercept=False
    )
    fitted.fit(matrix @ sparse.diags(scales), examples.labels, sample_weight=examples.weights)
    coefficients: Numbers = fitted.coef_ * scales
    return coefficients


def _one_sidedness(matrix: sparse.csr_matrix, names: list[str], examples: _TrainingSet) -> Numbers:
    """Return how much each word favours one label, to scale its feature; 1 for sums.

    Wang and Manning, "Baselines and Bigrams", 2012.
    """
    labels, weights = np.array(examples.labels), np.array(examples.weights)
    present = (matrix != 0).astype(float)
    shares = []
    for label in (NEGATIVE, NEUTRAL, POSITIVE):
        chosen = labels == label
        shares.append((1 + present[chosen].T @ weights[chosen]) / (1 + weights[chosen].sum()))
    negative, neutral, positive = shares
    sides = np.abs(np.log(positive / negative))
    mildness = np.abs(np.log(2 * neutral / (negative + positive)))
    found: Numbers = np.clip(np.maximum(sides, mildness / 2), *_ONE_SIDED)
    found[[name[0] in _SUMS for name in names]] = 1.0
    return found


def _matrix(rows: list[Row], names: list[str]) -> sparse.csr_matrix:
    places = {name: place for place, name in enumerate(names)}
    indices: list[int] = []
    values: list[float] = []
    ends = [0]
    for row in rows:
        sums: dict[int, float] = {}
        for name, value in row:
            if (place := places.get(name)) is not None:
                sums[place] = sums.get(place, 0.0) + value
        indices += sums.keys()
        values += sums.values()
        ends.append(len(indices))
    return sparse.csr_matrix((values, indices, ends), shape=(len(rows), len(names)))
