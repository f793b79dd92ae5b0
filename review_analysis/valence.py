"""Rules: how strongly each word of a sentence praises or blames where it stands.

The lexicon's weight of a word is turned by negation, strengthened, weakened, or taken for what a
wish, a repair or "too" makes of it. Every change leaves a reason that a person can read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from review_analysis import (
    constructions,
    grammar,
    lexicon,
    measures,
    negation,
)
from review_analysis.segments import Words
from review_analysis.word_lists import tables, word_lists

_WORDS = word_lists(__file__)

# Above 1 they strengthen, less from afar; below they weaken.
_DEGREES = {
    word: float(factor)
    for factor, words in tables(__file__)["degrees"].items()
    for word in words.split()
}
_REPAIRS = _WORDS["repairs"]
_MENDABLE = _WORDS["mendable"]
_WISH_VERBS = frozenset(("have", "'ve", "be", "been", "had", "were", "was", "use", "like"))
_STRENGTH_OF_TOO = -1.6
# Who likes, and what is liked.
_WHO_LIKE = frozenset("i we you they he she who to people everyone everybody kids and".split())
_LIKED = frozenset("it them the their her him how".split())
_OF_PRAISE, _OF_BLAME = 0.75, 0.5  # How much of it a denial turns.
_MARRING = -2.5  # An adjective of plain blame.

# Why a word counts as it does.
NEGATED, WISHED, REPAIRED, TOO, FAINT = "negated", "wished", "repair", "too", "faint"


@dataclass(slots=True)
class Valences:
    """Beside the words of one sentence: strength, and what a rule made of it (or "")."""

    strengths: list[float]
    reasons: list[str]
    negated: list[bool]  # Whether the word stands in the reach of a negator.
    phrases: dict[int, int]  # First word of a set phrase -> number of its words.
    gapped_phrases: dict[int, int]  # The same of phrases with gaps.


def known_words() -> frozenset[str]:
    """The single words that the lexicon weighs."""
    return _known()


@cache
def _known() -> frozenset[str]:
    return frozenset(lexicon.load().words)


def weigh(sentence: Words) -> Valences:
    """The valences of a sentence's words."""
    words, size = sentence.words, len(sentence)
    lex = lexicon.load()
    strengths = [0.0] * size
    reasons = [""] * size
    phrases: dict[int, int] = {}
    gapped_phrases: dict[int, int] = {}
    skip = 0
    text = " ".join(words)
    built = constructions.load().find(words, text)
    negated = negation.reached(sentence, built)
    odd = _odd_weights(sentence)
    places = {*built, *odd, *(index + 1 for index, word in enumerate(words) if word == "too")}
    # All other words say nothing; most do.
    telling = [
        (index, word) for index, word in enumerate(words) if word in lex.telling or index in places
    ]
    for index, word in telling:
        if index < skip:
            continue
        if index in built:
            length, weight = built[index]
            gapped_phrases[index] = length
            skip = index + length
            outside = negated[index] and word not in grammar.NEGATORS
            strengths[skip - 1], reasons[skip - 1] = _modified(
                sentence, index, skip - 1, weight, negated=outside
            )
            _turn_within(lex, words, range(index, skip), strengths[skip - 1], negated)
            continue
        if (phrase := lex.phrase_at(words, index)) is not None:
            length, weight = phrase
            phrases[index] = length
            skip = index + length
            place = skip - 1
            # A phrase that negates by itself is not negated by its own words.
            if tuple(words[index:skip]) in lex.faint:
                reasons[place] = FAINT
                continue
            outside = negated[index] and word not in grammar.NEGATORS
            strengths[place], reasons[place] = _modified(
                sentence, index, place, weight, negated=outside
            )
            continue
        if word in lex.faint_words:
            reasons[index] = FAINT
            continue
        weight = odd[index] if index in odd else lex.words.get(word, 0.0)
        if _DEGREES.get(word, 0) > 1 and not lex.words.keys().isdisjoint(words[index + 1 : index + 2]):
            weight = 0.0  # "Incredibly rude": it says how much, and nothing of its own.
        if weight:
            strengths[index], reasons[index] = _modified(
                sentence, index, index, weight, negated=negated[index]
            )
        elif (
            index
            and words[index - 1] == "too"
            and sentence.tags[index] in {"A", "V", "n"}
            and not negated[index - 1]
        ):
            strengths[index], reasons[index] = _STRENGTH_OF_TOO, TOO
    return Valences(strengths, reasons, negated, phrases, gapped_phrases)


def _odd_weights(sentence: Words) -> dict[int, float]:
    """Of the words whose weight the lexicon alone does not tell."""
    found = measures.weights(sentence)
    if "like" in sentence.words:
        for index, word in enumerate(sentence.words):
            if word == "like" and not _is_verb(sentence, index):
                found[index] = 0.0
    return found


def _is_verb(sentence: Words, index: int) -> bool:
    """Of a "like": "I really like it", unlike "sounds like rain" and "a place like this"."""
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


def _turn_within(
    lex: lexicon.Lexicon, words: list[str], places: range, whole: float, negated: list[bool]
) -> None:
    """A word that a construction takes the other way is not meant: "the only good thing"."""
    for place in places:
        alone = lex.words.get(words[place], 0.0)
        if alone * whole < 0:
            negated[place] = True
        elif alone:
            negated[place] = False


def _modified(
    sentence: Words, first: int, index: int, weight: float, *, negated: bool
) -> tuple[float, str]:
    """The weight of the word or phrase at first..index in its place, and what changed it."""
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
    negated = negated or (weight > 0 and _is_marred(sentence, first, index))
    mended = _mended(sentence, first) if weight < 0 and words[index] in _MENDABLE else None
    if mended:
        weight, reason = 1.5, REPAIRED
    elif negated and mended is None:
        weight, reason = (-_OF_PRAISE * weight if weight > 0 else -_OF_BLAME * weight), NEGATED
    elif weight > 0 and _is_wished(sentence, first):
        weight, reason = -0.6 * weight, WISHED
    if sentence.shouted[index]:
        weight *= 1.2
    return weight, reason


def is_denied(sentence: Words, first: int, last: int) -> bool:
    """Whether the good thing that words first..last name is wished for, or bad: "wish they had
    told me", "terrible follow through".
    """
    return _is_wished(sentence, first) or _is_marred(sentence, first, last)


def _is_marred(sentence: Words, first: int, last: int) -> bool:
    """Whether the adjective before spoils a good thing.

    "Terrible follow through": a good thing that the adjective before it spoils.
    """
    return (
        first > 0
        and sentence.tags[first - 1] == "A"
        and sentence.tags[last] != "A"
        and lexicon.load().words.get(sentence.words[first - 1], 0.0) < _MARRING
    )


def _mended(sentence: Words, first: int) -> bool | None:
    """Whether a repair is spoken of: done, or missed (False) as in "never fixed the leak"."""
    place = _repair(sentence, first)
    if place is None:
        return None
    nearest = max(0, place - 3) if place < first else first + 1
    return grammar.NEGATORS.isdisjoint(sentence.words[nearest:place])


def _repair(sentence: Words, first: int) -> int | None:
    """Where the verb of a repair stands next to a fault, no mark or contrast between them."""
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
    """Whether the problem that words first..last name is said to be solved: "fixed the leak",
    "the leak was fixed", "no more leaks", "the leak is gone".
    """
    words, tags = sentence.words, sentence.tags
    before, after = (
        list(_nearby(words, tags, range(first - 1, max(-1, first - 7), -1))),
        list(_nearby(words, tags, range(last + 1, min(len(words), last + 7)))),
    )
    if before[:2] == ["more", "no"]:
        return True
    around = {*before, *after}
    if around & (grammar.NEGATORS | _UNDONE):
        return False
    return bool(around & _REPAIRS or not _GONE.isdisjoint(after))


def _nearby(words: list[str], tags: list[str], places: range) -> Iterator[str]:
    """Words up to the end of the sentence or a contrast, without nouns: "after the repair"."""
    for index in places:
        if tags[index] in {".", "B"}:
            return
        if not index or tags[index - 1] != "D":
            yield words[index]


_UNDONE = frozenset("try tried trying attempted attempt failed could should supposed still".split())
_GONE = frozenset("gone disappeared vanished".split())


def _is_wished(sentence: Words, first: int) -> bool:
    """Whether it is only wished for.

    "Should have been warm", "could be better", "I wish it was bigger", "would be nice".
    """
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
