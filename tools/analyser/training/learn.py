"""The weights from the examples: two linear models, the same bytes for the same examples.

The sentence model comes first. What it learns of single words is what the target model places
round a target; so that the target model does not trust it more than it may on new texts, each
text is scored by a sentence model that has not seen it.
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
# Sentences that name several things are outnumbered by those that name one; guesses and opinions
# that are their own targets are many.
_SEVERAL, _WEAK = {"restaurants": 1.35}, 0.75


class Tables(TypedDict):
    """Content of the weights' file."""

    sentence: Table
    target: dict[str, Table]  # By the kind of a feature.


class Strength(NamedTuple):
    """How freely a model learns."""

    keep: int  # Features in the end, the weightiest.
    penalty: float  # The inverse of the penalty on large weights (L2).
    least: int  # Examples that a feature must occur in.
    focus: float  # How much more freely one-sided words are learnt: 0 not at all, 1 fully.


class _Lessons(NamedTuple):
    """Examples as the fit takes them."""

    rows: list[Row]
    labels: list[int]
    weights: list[float]


SENTENCE = Strength(keep=23_200, penalty=0.06, least=3, focus=0.8)
TARGET = Strength(keep=30_000, penalty=0.12, least=5, focus=0.5)
_ONE_SIDED = (0.15, 2.0)  # The least and the most that counts.
_SUMS = frozenset("=@<>")  # What the names of sums and of parts of speech begin with.


def learn(examples: Examples) -> Tables:
    """Both tables of weights."""
    with threadpool_limits(1):  # Sums depend on how they are split.
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
    """The table of targets as it is looked up: by the kind of a feature, then by what it saw."""
    kinds: dict[str, Table] = {}
    for name, pair in table.items():
        kind, _, seen = name.partition(" ")
        kinds.setdefault(kind, {})[seen] = pair
    return kinds


def _fit_sentences(examples: Sequence[SentenceExample], rows: list[Row]) -> Table:
    return _fit(_Lessons(rows, [e.label for e in examples], balanced(examples)), SENTENCE)


def _fit_targets(examples: Sequence[TargetExample], rows: list[Row]) -> Table:
    weights = [
        e.weight * (_SEVERAL.get(e.domain, 1.0) if e.weight >= 1 else _WEAK) for e in examples
    ]
    return _fit(_Lessons(rows, [e.label for e in examples], weights), TARGET)


def _as_model(table: Table) -> SentenceModel:
    return model.sentence_model(
        {name: (minus / 100, plus / 100) for name, (minus, plus) in table.items()}
    )


# --- Texts as rows of features --------------------------------------------------------------------


class _Texts:
    """Each text is read once."""

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


def _fit(lessons: _Lessons, strength: Strength) -> Table:
    """Fit all features, keep the weightiest, fit those alone."""
    counts = Counter(name for row in lessons.rows for name in dict(row))
    names = sorted(name for name, count in counts.items() if count >= strength.least)
    coefficients = _coefficients(lessons, names, strength)
    if len(names) > strength.keep:
        worth = np.abs(coefficients).max(axis=0) * np.sqrt([counts[name] for name in names])
        # Names break ties, and rounding keeps the order apart from the last digits of a sum.
        order = sorted(range(len(names)), key=lambda n: (-round(float(worth[n]), 6), names[n]))
        names = sorted(names[n] for n in order[: strength.keep])
        coefficients = _coefficients(lessons, names, strength)
    table: Table = {}
    for name, (minus, neutral, plus) in zip(names, coefficients.T, strict=True):
        mean = (minus + neutral + plus) / 3
        pair = [round(float(minus - mean) * 100), round(float(plus - mean) * 100)]
        if any(pair):
            table[name] = pair
    return table


def _coefficients(lessons: _Lessons, names: list[str], strength: Strength) -> Numbers:
    """The weights of the features for each label."""
    matrix = _matrix(lessons.rows, names)
    scales = _one_sidedness(matrix, names, lessons) ** strength.focus
    # To so many digits that no rounding tells on which processor sums were made.
    fitted = LogisticRegression(
        C=strength.penalty, solver="newton-cg", max_iter=1000, tol=1e-12, fit_intercept=False
    )
    fitted.fit(matrix @ sparse.diags(scales), lessons.labels, sample_weight=lessons.weights)
    coefficients: Numbers = fitted.coef_ * scales
    return coefficients


def _one_sidedness(matrix: sparse.csr_matrix, names: list[str], lessons: _Lessons) -> Numbers:
    """How much each word favours one label: the more, the more freely it is learnt. Sums are 1.

    Wang and Manning, "Baselines and Bigrams", 2012.
    """
    labels, weights = np.array(lessons.labels), np.array(lessons.weights)
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
