"""Features of the sentence model, as named values: words, pairs of them, and their sums by the
lexicon's rules.
"""

from typing import NamedTuple

from review_analysis.segments import Words
from review_analysis.valence import FAINT, Valences

Feature = tuple[str, float]

LEXICON_SCALE = 1 / 3  # The lexicon runs to 4; here 1 is plain praise.


class ScoredSentence(NamedTuple):
    """A sentence with what each of its words weighs."""

    words: Words
    valences: Valences
    feature_names: list[str]  # Those of `names`.
    learnt: list[float]  # What the sentence model makes of each word.
    probabilities: tuple[float, float, float]  # That the whole is negative, neutral, positive.
    opinion_words: list[int]  # The words that judge by the lexicon.
    heads: list[int]  # What each of them speaks of, as `heads` tells it.


def feature_names(sentence: Words, valences: Valences) -> list[str]:
    """A sentence's words as the models know them: negated ones marked, numbers alike, no marks."""
    result: list[str] = []
    for word, tag, negated in zip(sentence.words, sentence.tags, valences.negated, strict=True):
        if tag == "#":
            result.append("#")
        elif tag in {",", "."}:
            result.append(word[0] if word[0] in "!?" else "" if word.isascii() else word)
        else:
            result.append("!" + word if negated else word)
    return result


def word_features(names: list[str]) -> list[Feature]:
    """Words and pairs of neighbours, for the sentence model."""
    found: list[Feature] = []
    previous = "^"
    for name in names:
        if name:
            found.append((name, 1.0))
            if previous:
                found.append((previous + " " + name, 1.0))
        previous = name
    return found


def lexicon_features(sentence: Words, valences: Valences) -> list[Feature]:
    """The lexicon's view of a sentence."""
    strengths = [s * LEXICON_SCALE for s in valences.strengths if s]
    found = [("=bias", 1.0)]
    count = len(sentence)
    found.append(("=short" if count < 6 else "=mid" if count < 15 else "=long", 1.0))
    if FAINT in valences.reasons:
        found.append(("=faint", 1.0))
    if not strengths:
        found.append(("=silent", 1.0))
        return found
    plus = sum(s for s in strengths if s > 0)
    minus = -sum(s for s in strengths if s < 0)
    total = plus - minus
    found += [
        ("=plus", min(plus, 3.0)), ("=minus", min(minus, 3.0)),
        ("=total", max(-3.0, min(3.0, total))),
        ("=sign+" if total > 0 else "=sign-", 1.0),
        ("=density", total / (count + 3) * 5),
        ("=last", max(-1.0, min(1.0, strengths[-1]))),
        ("=first", max(-1.0, min(1.0, strengths[0]))),
    ]  # fmt: skip
    if plus and minus:
        found.append(("=mixed", 1.0))
    contrast = next((i for i, tag in enumerate(sentence.tags) if tag == "B"), 0)
    if contrast:
        after = sum(valences.strengths[contrast:]) * LEXICON_SCALE
        before = sum(valences.strengths[:contrast]) * LEXICON_SCALE
        found.append(("=after", max(-2.0, min(2.0, after))))
        found.append(("=before", max(-2.0, min(2.0, before))))
    return found
