"""How a sentence, and what it says of one thing in it, is meant: negative, neutral or positive."""

import math
from typing import NamedTuple

from insights.analysis.reading import Label
from insights.analysis.segments import Words
from insights.analysis.valence import Valences

Logits = tuple[float, float, float]  # Of negative, neutral, positive.

LABELS: tuple[Label, Label, Label] = ("negative", "neutral", "positive")
# What the stars of a review alone make likely, taken at half strength: at full strength they would
# drown what runs against them.
_STARS: dict[int, Logits] = {
    1: (2.2, -0.6, -1.6),
    2: (1.5, 0.0, -1.5),
    3: (0.2, 0.3, -0.5),
    4: (-0.9, -0.2, 1.1),
    5: (-1.6, -0.8, 2.4),
}
_STAR_STRENGTH = 0.5


class Verdict(NamedTuple):
    label: Label
    score: float  # P(positive) - P(negative)
    weight: float  # How much it counts in a mean: 1.15 - P(neutral)


def verdict(logits: Logits, rating: int | None) -> Verdict:
    """The softmax of the logits and half the prior of the stars."""
    if rating is not None:
        star = _STARS[min(5, max(1, rating))]
        logits = (
            logits[0] + _STAR_STRENGTH * star[0],
            logits[1] + _STAR_STRENGTH * star[1],
            logits[2] + _STAR_STRENGTH * star[2],
        )
    top = max(logits)
    exps = [math.exp(logit - top) for logit in logits]
    total = sum(exps)
    negative, neutral, positive = (value / total for value in exps)
    best = max(negative, neutral, positive)
    label = LABELS[0] if best == negative else LABELS[2] if best == positive else LABELS[1]
    return Verdict(label, positive - negative, 1.15 - neutral)


def sentence_logits(sentence: Words, valences: Valences) -> Logits:
    return _logits(valences.strengths)


def target_logits(
    sentence: Words, valences: Valences, first: int, last: int, polarity_of_term: int
) -> tuple[Logits, tuple[str, ...]]:
    """What the sentence says of its words first..last, and why it is taken so."""
    low, high = sentence.clause_bounds(first)
    near = [
        (strength / (1 + 0.15 * max(0, first - i, i - last)), i)
        for i, strength in enumerate(valences.strengths[low : high + 1], low)
        if strength
    ]
    strengths = [strength for strength, _ in near]
    because = tuple(_reason(sentence, valences, i) for _, i in near[:4])
    if not near:
        strengths = [strength * 0.25 for strength in valences.strengths]
    if polarity_of_term:
        sign = -polarity_of_term if valences.negated[first] else polarity_of_term
        strengths.append(2.0 * sign)
        because = ("its own meaning", *because)
    return _logits(strengths), because


def _reason(sentence: Words, valences: Valences, index: int) -> str:
    reason = valences.reasons[index] or "lexicon"
    return f'{reason} "{sentence.words[index]}" {valences.strengths[index]:+.1f}'


def _logits(strengths: list[float]) -> Logits:
    total = sum(strengths)
    return -0.8 * total - 0.3, 0.6 - 0.3 * min(4.0, sum(map(abs, strengths))), 0.8 * total
