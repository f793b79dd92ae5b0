"""Features of the sentence model: words, pairs of words and sums of the lexicon's weights."""

from typing import NamedTuple

from review_analysis.segments import Words
from review_analysis.valence import FAINT, Valences

Feature = tuple[str, float]

LEXICON_SCALE = 1 / 3  # Maps clear praise of the lexicon (3 of 4) to 1.


class ScoredSentence(NamedTuple):
    """A sentence with scores of its words, from the lexicon and the sentence model."""

    words: Words
    valences: Valences
    feature_names: list[str]
    learnt: list[float]  # Score of each word by the sentence model.
    probabilities: tuple[float, float, float]  # Of negative, neutral, positive.
    opinion_words: list[int]  # Words with a strength in the lexicon.
    heads: list[int]  # Results of `heads.find_head` for the opinion words.


def feature_names(sentence: Words, valences: Valences) -> list[str]:
    """Normalise words for the models: "!" before negated ones, "#" for numbers, "" for marks."""
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
    """Return the features of words and pairs of adjacent words."""
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
    """Return the features of a sentence that are based on the lexicon."""
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
