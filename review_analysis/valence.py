"""Strength of praise and blame of each word in its sentence.

Negation, degree, wishes, repairs and "too" change the weight of a word in the lexicon. Each change
leaves a reason for people to read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from review_analysis import constructions, grammar, lexicon, measures, negation
from review_analysis.segments import Words
from review_analysis.word_lists import tables, word_lists

_WORDS = word_lists(__file__)

# Factors of degree adverbs. Those above 1 decrease with distance.
_DEGREES = {
    word: float(factor)
    for factor, words in tables(__file__)["degrees"].items()
    for word in words.split()
}
_REPAIRS = _WORDS["repairs"]
_WISH_VERBS = frozenset(("have", "'ve", "be", "been", "had", "were", "was", "use", "like"))
_STRENGTH_OF_TOO = -1.6
# Subjects and objects of the verb "like".
_WHO_LIKE = frozenset("i we you they he she who to people everyone everybody kids and".split())
_LIKED = frozenset("it them the their her him how".split())
_OF_PRAISE, _OF_BLAME = 0.75, 0.5  # Factors of negated weights.
_SPOILING = -2.5  # Weight below which an adjective reverses the praise that it modifies.

# Reasons.
NEGATED, WISHED, REPAIRED, TOO, FAINT = "negated", "wished", "repair", "too", "faint"


@dataclass(slots=True)
class Valences:
    """Strengths of the words of one sentence, and the rules that changed them."""

    strengths: list[float]
    reasons: list[str]  # Empty if no rule changed the strength.
    negated: list[bool]  # Whether the word is in the scope of a negator.
    phrases: dict[int, int]  # First word of a set phrase -> number of its words.
    gapped_phrases: dict[int, int]  # First word of a construction -> number of its words.


@cache
def known_words() -> frozenset[str]:
    """Return the single words of the lexicon."""
    return frozenset(lexicon.load().words)


def weigh(sentence: Words) -> Valences:
    """Return the valences of the words of a sentence."""
    words, size = sentence.words, len(sentence)
    lex = lexicon.load()
    gapped = constructions.load().find(words, " ".join(words))
    found = Valences([0.0] * size, [""] * size, negation.negated_words(sentence, gapped), {}, {})
    special = _special_weights(sentence)
    places = {*gapped, *special, *(index + 1 for index, word in enumerate(words) if word == "too")}
    end = 0
    for index, word in enumerate(words):
        if index < end or (word not in lex.first_words and index not in places):
            continue
        length, negated = 1, found.negated[index]
        if index in gapped:
            length, weight = gapped[index]
            found.gapped_phrases[index] = length
        elif phrase := lex.phrase_at(words, index):
            length, weight = phrase
            found.phrases[index] = length
        else:
            weight = _weight_of_word(sentence, index, special)
        end = index + length
        if length > 1:  # The negator of a phrase does not negate the phrase.
            negated = negated and word not in grammar.NEGATORS
        if index not in gapped and tuple(words[index:end]) in lex.faint:
            found.reasons[end - 1] = FAINT
        elif weight or length > 1:
            value = _modified(sentence, index, end - 1, weight, negated=negated)
            found.strengths[end - 1], found.reasons[end - 1] = value
            if index in gapped:
                _negate_within(lex, words, range(index, end), value[0], found.negated)
        elif (
            words[index - 1 : index] == ["too"]
            and sentence.tags[index] in {"A", "V", "n"}
            and not found.negated[index - 1]
        ):
            found.strengths[index], found.reasons[index] = _STRENGTH_OF_TOO, TOO
    return found


def _weight_of_word(sentence: Words, index: int, special: dict[int, float]) -> float:
    known, word = lexicon.load().words, sentence.words[index]
    if _DEGREES.get(word, 0) > 1 and known.keys() & sentence.words[index + 1 : index + 2]:
        return 0.0  # "Incredibly rude": the adverb has no polarity of its own here.
    return special[index] if index in special else known.get(word, 0.0)


def _special_weights(sentence: Words) -> dict[int, float]:
    """Return weights that override the lexicon, by index."""
    found = measures.weights(sentence)
    for index, word in enumerate(sentence.words):
        if word == "like" and not _is_verb(sentence, index):
            found[index] = 0.0
    return found


def _is_verb(sentence: Words, index: int) -> bool:
    """Whether "like" is a verb: "I really like it"; not "sounds like rain"."""
    words, tags = sentence.words, sentence.tags
    before = index - 1
    while before >= 0 and tags[before] == "J":
        before -= 1
    if before < 0:
        return False
    word, tag = words[before], tags[before]
    if tag == "n" and word.endswith("s"):
        return not _LIKED.isdisjoint(words[index + 1 : index + 2])
    return word in _WHO_LIKE or tag == "H" or (tag == "N" and word != "nothing")


def _negate_within(
    lex: lexicon.Lexicon, words: list[str], places: range, whole: float, negated: list[bool]
) -> None:
    """Mark words as negated that contradict their construction: "the only good thing"."""
    for place in places:
        alone = lex.words.get(words[place], 0.0)
        if alone * whole < 0:
            negated[place] = True
        elif alone:
            negated[place] = False


def _modified(
    sentence: Words, first: int, index: int, weight: float, *, negated: bool
) -> tuple[float, str]:
    """Return the weight of words first..index in their context, and the reason of a change."""
    words = sentence.words
    reason = ""
    before = words[max(0, first - 3) : first][::-1]
    for distance, word in enumerate(before):
        if degree := _DEGREES.get(word):
            weight *= 1 + (degree - 1) / (distance + 1) if degree > 1 else degree
        elif word in {",", ".", "but"}:
            break
    if before and before[0] == "too" and not negated and "not" not in before:
        weight, reason = (_STRENGTH_OF_TOO if weight > 0 else weight * 1.2), TOO
    negated = negated or (weight > 0 and _is_spoiled(sentence, first, index))
    is_repaired = (
        _is_repaired(sentence, first) if weight < 0 and words[index] in _WORDS["mendable"] else None
    )
    if is_repaired:
        weight, reason = 1.5, REPAIRED
    elif negated and is_repaired is None:
        weight, reason = (-_OF_PRAISE * weight if weight > 0 else -_OF_BLAME * weight), NEGATED
    elif weight > 0 and _is_wished(sentence, first):
        weight, reason = -0.6 * weight, WISHED
    if sentence.shouted[index]:
        weight *= 1.2
    return weight, reason


def is_wished_or_spoiled(sentence: Words, first: int, last: int) -> bool:
    """Whether the praise in words first..last is only wished for, or spoiled."""
    return _is_wished(sentence, first) or _is_spoiled(sentence, first, last)


def _is_spoiled(sentence: Words, first: int, last: int) -> bool:
    """Whether the preceding adjective reverses praise: "terrible follow through"."""
    return (
        first > 0
        and sentence.tags[first - 1] == "A"
        and sentence.tags[last] != "A"
        and lexicon.load().words.get(sentence.words[first - 1], 0.0) < _SPOILING
    )


def _is_repaired(sentence: Words, first: int) -> bool | None:
    """Whether the problem was repaired; None if there is no mention of a repair.

    False for a missed repair: "never fixed the leak".
    """
    place = _repair(sentence, first)
    if place is None:
        return None
    nearest = max(0, place - 3) if place < first else first + 1
    return grammar.NEGATORS.isdisjoint(sentence.words[nearest:place])


def _repair(sentence: Words, first: int) -> int | None:
    """Return the index of a verb of repair near a problem, if any."""
    words, tags = sentence.words, sentence.tags
    before = range(first - 1, max(-1, first - 6), -1)
    after = range(first + 1, min(len(words), first + 6))
    for order in (before, after):
        for index in order:
            if tags[index] in {",", ".", "B"}:
                break
            if words[index] in _REPAIRS:
                return index
    return None


def is_resolved(sentence: Words, first: int, last: int) -> bool:
    """Whether the problem in words first..last was solved: "the leak was fixed"."""
    words, tags = sentence.words, sentence.tags
    before = list(_nearby(words, tags, range(first - 1, max(-1, first - 7), -1)))
    after = list(_nearby(words, tags, range(last + 1, min(len(words), last + 7))))
    if before[:2] == ["more", "no"]:
        return True
    around = {*before, *after}
    if around & (grammar.NEGATORS | _UNDONE):
        return False
    return bool(around & _REPAIRS or not _GONE.isdisjoint(after))


def _nearby(words: list[str], tags: list[str], places: range) -> Iterator[str]:
    """Yield words up to a contrast or the end, except after a determiner: "the repair"."""
    for index in places:
        if tags[index] in {".", "B"}:
            return
        if not index or tags[index - 1] != "D":
            yield words[index]


_UNDONE = frozenset("try tried trying attempted attempt failed could should supposed still".split())
_GONE = frozenset("gone disappeared vanished".split())


def _is_wished(sentence: Words, first: int) -> bool:
    """Whether the word is only wished for: "should have been warm", "could be better"."""
    words = sentence.words
    for index in range(first - 1, max(-1, first - 8), -1):
        word = words[index]
        if word in {",", ".", "but", ";"}:
            return False
        if word in {"should", "could"}:
            return words[index + 1] in _WISH_VERBS
        if word in {"wish", "wished"} or (word == "only" and words[index - 1 : index] == ["if"]):
            return True
        if word in {"would", "'d"} and words[index + 1] == "have" and "been" in words[index:first]:
            return True
    return False
