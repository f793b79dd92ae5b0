"""Judge "low", "long", "less" and the like by the thing that they measure."""

from review_analysis import lexicon
from review_analysis.segments import Words

# Whether much of what is measured is good (1) or bad (-1).
MEASURED = {
    **dict.fromkeys(
        "price prices cost costs rate rates fee fees bill bills charge charges quote quotes copay"
        " estimate estimates invoice premium premiums deductible rent wait waits line lines queue"
        " queues delay delays noise interest".split(), -1
    ),
    **dict.fromkeys(
        "quality standard standards resolution volume battery warranty life range memory cord cable"
        " lifespan capacity speed score scores ratings".split(), 1
    ),
}  # fmt: skip
COUNTED = {  # As less or more of it.
    **MEASURED,
    **dict.fromkeys("crowd crowds waiting queuing queueing".split(), -1),
}  # fmt: skip
_LESS = frozenset(("less", "lesser", "fewer"))
_MUCH = {
    **dict.fromkeys(
        "high higher highest long longer steep big bigger huge hefty large massive".split(), 1
    ),
    **dict.fromkeys("low lower lowest short shorter less lesser fewer".split(), -1),
}
_STRENGTH = 1.8


def weights(sentence: Words) -> dict[int, float]:
    """Weights of the words of measure, by their place."""
    words = sentence.words
    if _MUCH.keys().isdisjoint(words):
        return {}
    known = lexicon.load().words
    return {
        index: _weight_of(sentence, index, known.get(word, 0.0))
        for index, word in enumerate(words)
        if word in _MUCH
    }


def _weight_of(sentence: Words, index: int, weight: float) -> float:
    """Weight of a word of measure: of a price, a wait, a warranty."""
    words, tags = sentence.words, sentence.tags
    known = COUNTED if words[index] in _LESS else MEASURED
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
