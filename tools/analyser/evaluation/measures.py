"""Measures of classifiers: accuracy, F1 and AUC."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from insights.statistics import LABELS


def accuracy(right: Sequence[str], given: Sequence[str]) -> float:
    return _ratio(sum(a == b for a, b in zip(right, given, strict=True)), len(right))


def macro_f1(right: Sequence[str], given: Sequence[str]) -> float:
    """Return the mean F1 of the labels that occur in `right`."""
    pairs = list(zip(right, given, strict=True))
    scores = [
        Hits(
            right=sum(a == label == b for a, b in pairs),
            wrong=sum(b == label != a for a, b in pairs),
            missed=sum(a == label != b for a, b in pairs),
        ).f1
        for label in LABELS
        if label in right
    ]
    return _ratio(sum(scores), len(scores))


def forced_accuracy(is_positive: Sequence[bool], scores: Sequence[float]) -> float:
    """Return the share of scores with the right sign; 0 counts as positive."""
    return _ratio(
        sum(truth is (score >= 0) for truth, score in zip(is_positive, scores, strict=True)),
        len(scores),
    )


def auc(is_positive: Sequence[bool], scores: Sequence[float]) -> float:
    """Return the probability that a positive text scores above a negative one; ties count half."""
    ranks: dict[float, float] = {}
    below = 0
    for score, count in sorted(Counter(scores).items()):
        ranks[score] = below + (count + 1) / 2
        below += count
    positives = sum(is_positive)
    total = sum(ranks[s] for s, truth in zip(scores, is_positive, strict=True) if truth)
    pairs = positives * (len(scores) - positives)
    return _ratio(total - positives * (positives + 1) / 2, pairs)


@dataclass(slots=True)
class Hits:
    """Counts of true positives, false positives and false negatives."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def count(self, truth: Iterable[Hashable], given: Iterable[Hashable]) -> None:
        wanted, answered = set(truth), set(given)
        self.right += len(wanted & answered)
        self.wrong += len(answered - wanted)
        self.missed += len(wanted - answered)

    def add(self, other: "Hits") -> None:
        self.right += other.right
        self.wrong += other.wrong
        self.missed += other.missed

    @property
    def precision(self) -> float:
        return _ratio(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return _ratio(self.right, self.right + self.missed)

    @property
    def f1(self) -> float:
        return _ratio(2 * self.right, 2 * self.right + self.wrong + self.missed)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
