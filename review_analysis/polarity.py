"""Polarity of sentences and of targets in them: negative, neutral or positive."""

from typing import NamedTuple

from review_analysis import ensemble, model, targets, valence
from review_analysis.ensemble import SentenceLogits
from review_analysis.features import ScoredSentence
from review_analysis.model import Logits
from review_analysis.reading import Label
from review_analysis.segments import Words, opens_contrast

Stars = dict[int, Logits]

LABELS: tuple[Label, Label, Label] = ("negative", "neutral", "positive")
# Logits of the labels given the stars alone. At full strength they would override the words.
_STARS_OF_SENTENCE: Stars = {
    1: (2.6, -0.9, -2.1),
    2: (2.0, -0.5, -1.9),
    3: (0.3, 0.4, -0.4),
    4: (-1.3, -0.6, 1.6),
    5: (-2.1, -1.2, 3.1),
}
_STARS_OF_TARGET: Stars = {
    1: (1.6, -2.6, -1.9),
    2: (1.2, -1.6, -1.2),
    3: (0.4, 0.4, -0.3),
    4: (0.1, -1.6, 0.3),
    5: (-1.9, -3.0, 1.7),
}
_STAR_STRENGTH = 0.5
# Share of the stars' polarity that counts in a mixed sentence, whose opinions they predict badly.
_SIDE_WHERE_MIXED = 0.5
# The training sentences were selected for their opinions, so the model is too certain of others.
_CERTAINTY = 0.8
# The training sets, MAMS above all, have more neutral targets than reviews have.
_NEUTRAL_SHIFT = -0.3
_CONTEXT_WEIGHT = 0.65
_TERM_WEIGHT = 1.5  # Weight of the polarity that a taxonomy gives to a term.
_MAX_REASONS = 4


class Verdict(NamedTuple):
    label: Label
    score: float  # P(positive) - P(negative)
    weight: float  # Weight in a mean: 1.15 - P(neutral)


def score_sentence(
    words: Words, second: SentenceLogits | None = None
) -> tuple[ScoredSentence, Logits]:
    """Score the words of a sentence, and the whole sentence with those of a second model."""
    scored, logits = model.score_sentence(model.load().sentence, words, valence.weigh(words))
    negative, neutral, positive = ensemble.combined(logits, second.whole if second else None)
    return scored, (_CERTAINTY * negative, _CERTAINTY * neutral, _CERTAINTY * positive)


def clause_logits(sentence: ScoredSentence, clause: int) -> Logits:
    """Return the logits that all targets of a clause share."""
    return model.target_logits(model.load().target, targets.clause_features(sentence, clause))


def target_logits(
    sentence: ScoredSentence,
    first: int,
    last: int,
    polarity_of_term: int,
    clause: Logits,
    *,
    second: Logits | None = None,
) -> Logits:
    """Return the logits of words first..last, given those of their clause and a second model."""
    found = targets.target_features(sentence, first, last)
    negative, neutral, positive = model.target_logits(model.load().target, found)
    ours = negative + clause[0], neutral + clause[1], positive + clause[2]
    negative, neutral, positive = ensemble.combined(ours, second)
    neutral += _NEUTRAL_SHIFT
    if polarity_of_term:
        sign = _sign_in_place(sentence, first, last, polarity_of_term)
        return negative - sign * _TERM_WEIGHT, neutral - 1.0, positive + sign * _TERM_WEIGHT
    return negative, neutral, positive


def _sign_in_place(sentence: ScoredSentence, first: int, last: int, sign: int) -> int:
    """Reverse the polarity of a term after a negator ("never late"), a wish or clear blame.

    The polarity is kept if the strengths of the negated words agree with it: "zero trouble since"
    with "trouble since" as praise.
    """
    negated = sentence.valences.negated[first]
    if not negated and not (sign > 0 and valence.is_wished_or_spoiled(sentence.words, first, last)):
        return sign
    return sign if sign * sum(sentence.valences.strengths[first : last + 1]) > 0 else -sign


def sentence_verdict(logits: Logits, rating: int | None) -> Verdict:
    return _verdict(logits, rating, _STARS_OF_SENTENCE)


def target_verdict(
    logits: Logits, rating: int | None, context: float = 0.0, *, is_mixed: bool = False
) -> Verdict:
    """Return the verdict on a target. `context` is the sum of the scores of nearby sentences."""
    negative, neutral, positive = logits
    context *= _CONTEXT_WEIGHT
    stars = _STARS_OF_MIXED_TARGET if is_mixed else _STARS_OF_TARGET
    return _verdict((negative - context, neutral, positive + context), rating, stars)


def is_mixed(sentence: ScoredSentence) -> bool:
    """Whether a sentence praises and blames, or has a contrast: "but", "however"."""
    strengths = sentence.valences.strengths
    judging = [strengths[index] for index in sentence.opinion_words]
    if "B" in sentence.words.tags or opens_contrast(sentence.words):
        return True
    return any(value > 0 for value in judging) and any(value < 0 for value in judging)


def _weakened(stars: Logits, share: float) -> Logits:
    """Reduce the difference between positive and negative to this share."""
    negative, neutral, positive = stars
    middle, side = (negative + positive) / 2, share * (positive - negative) / 2
    return middle - side, neutral, middle + side


_STARS_OF_MIXED_TARGET = {
    rating: _weakened(stars, _SIDE_WHERE_MIXED) for rating, stars in _STARS_OF_TARGET.items()
}


def _verdict(logits: Logits, rating: int | None, stars: Stars) -> Verdict:
    """Apply softmax to the logits plus the weighted logits of the stars."""
    negative, neutral, positive = logits
    if rating is not None:
        star = stars[rating]
        negative += _STAR_STRENGTH * star[0]
        neutral += _STAR_STRENGTH * star[1]
        positive += _STAR_STRENGTH * star[2]
    probabilities = model.softmax((negative, neutral, positive))
    label = LABELS[probabilities.index(max(probabilities))]
    return Verdict(label, probabilities[2] - probabilities[0], 1.15 - probabilities[1])


def reasons(  # noqa: PLR0917
    sentence: ScoredSentence,
    first: int,
    last: int,
    polarity_of_term: int,
    rating: int | None,
    second: Logits | None,
) -> tuple[str, ...]:
    """Return reasons for the label of words first..last, strongest first."""
    low, high = sentence.words.clause_bounds(first)
    valences = sentence.valences
    found: list[tuple[float, str]] = []
    for index in range(low, high + 1):
        strength, value = valences.strengths[index], sentence.learnt[index]
        distance = 1 + 0.15 * max(0, first - index, index - last)
        if strength:
            kind, words = _evidence(sentence, index)
            found.append((abs(strength) / distance, f'{kind} "{words}" {strength:+.1f}'))
        elif abs(value) >= 0.3:
            word = sentence.words.words[index]
            found.append((abs(value) / distance, f'learnt "{word}" {value:+.1f}'))
    found.sort(key=lambda reason: (-reason[0], reason[1]))
    texts = [text for _, text in found[:_MAX_REASONS]]
    if polarity_of_term:
        turned = _sign_in_place(sentence, first, last, polarity_of_term) != polarity_of_term
        texts.insert(0, "the term itself, negated" if turned else "the term itself")
    if second is not None:
        texts.append(f"second model {LABELS[second.index(max(second))]}")
    return (*texts, *(() if rating is None else (f"stars {rating}",)))


def _evidence(sentence: ScoredSentence, last: int) -> tuple[str, str]:
    """Return the rule behind the strength of a word, and all words that it applies to."""
    words, valences = sentence.words, sentence.valences
    starts = {
        start + size - 1: start
        for known in (valences.phrases, valences.gapped_phrases)
        for start, size in known.items()
    }
    kind = valences.reasons[last] or ("phrase" if last in starts else "lexicon")
    return kind, " ".join(words.words[starts.get(last, last) : last + 1])
