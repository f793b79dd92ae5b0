"""Polarity of words like "low", "long" and "less", which depends on the measured thing."""

from review_analysis import lexicon
from review_analysis.segments import Words
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)
# Measured things, of which much is good (1) or bad (-1).
_MEASURED = {**dict.fromkeys(_WORDS["dear"], -1), **dict.fromkeys(_WORDS["worthy"], 1)}
_COUNTED = {**_MEASURED, **dict.fromkeys(_WORDS["counted"], -1)}  # For "less" and "more".
_LESS = _WORDS["less"]
_MUCH = {**dict.fromkeys(_WORDS["much"], 1), **dict.fromkeys(_WORDS["little"], -1)}
_STRENGTH = 1.8


def weights(sentence: Words) -> dict[int, float]:
    """Return the weights of the words of measure by index."""
    known = lexicon.load().words
    return {
        index: _weight_of(sentence, index, known.get(word, 0.0))
        for index, word in enumerate(sentence.words)
        if word in _MUCH
    }


def _weight_of(sentence: Words, index: int, weight: float) -> float:
    """Return the weight of a word of measure, `weight` if it measures nothing known."""
    words, tags = sentence.words, sentence.tags
    known = _COUNTED if words[index] in _LESS else _MEASURED
    measures = known.get(words[index + 1], 0) if index + 1 < len(words) else 0
    if not measures and not (words[index] in _LESS and tags[index + 1 : index + 2] == ["A"]):
        before = index - 1
        while before >= 0 and tags[before] in {"C", "J"}:
            before -= 1
        if 0 <= before < index - 1:  # "The price is very low".
            measures = known.get(words[before], 0)
    if measures:
        return measures * _MUCH[words[index]] * _STRENGTH
    return weight
