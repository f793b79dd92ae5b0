"""Decide whether a weak term speaks of its aspect.

"Nice" praises the staff in "nice staff" and in "she was nice", and says nothing of it in "nice
rides". A weak term counts in a clause that holds another term of its aspect, or whose subject is
the aspect: one of its subjects, somebody's name, or what the clause before was about. A noun or
verb that judges nothing counts as well where a word judges it: "installed it well", unlike "the day
they came to install it".
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from review_analysis.features import Weighed
from review_analysis.grammar import NEGATORS
from review_analysis.segments import Words, is_verb, subject_of
from review_analysis.valence import FAINT
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

Clause = tuple[int, int]  # The sentence, and the clause in it.


class Spot(NamedTuple):
    """Words first..last of a sentence."""

    sentence: int
    first: int
    last: int


def clause_of(sentences: Sequence[Weighed], spot: Spot) -> Clause:
    return spot.sentence, sentences[spot.sentence].words.clauses[spot.first]


def counting(
    sentences: Sequence[Weighed],
    spots: Sequence[tuple[Spot, bool]],
    subjects: Sequence[str],
    named: Sequence[frozenset[int]],
) -> list[bool]:
    """Whether each term of an aspect counts, given whether it is weak.

    `named` are the words of each sentence that name somebody.
    """
    strong = {clause_of(sentences, spot) for spot, is_weak in spots if not is_weak}
    strong |= {
        clause
        for spot, _ in spots
        if (clause := clause_of(sentences, spot)) not in strong
        and _is_judged(sentences[spot.sentence], spot)
    }
    return [
        clause_of(sentences, spot) in strong
        or _is_about_aspect(sentences, spot, strong, subjects, named[spot.sentence])
        for spot, _ in spots
    ]


def _is_about_aspect(
    sentences: Sequence[Weighed],
    spot: Spot,
    strong: Collection[Clause],
    subjects: Sequence[str],
    named: frozenset[int],
) -> bool:
    """Whether the clause of a term is about the aspect."""
    number, clause = clause_of(sentences, spot)
    sentence = sentences[number]
    words = sentence.words
    subject = _subject(words, spot)
    said = words.words[subject.start : subject.stop]
    if _qualifies_another(words, spot, subjects):
        return False
    if subjects:
        if "who" in words.words[spot.last : spot.last + 2]:
            is_about = True
        elif _is_bare_noun(sentence, spot):  # "The manager hung up", not "I asked the manager".
            is_about = spot.first in subject or _begins_clause(words, spot.first)
        else:
            # "Dr. Hart" is a name of nobody at a front desk.
            is_named = not named.isdisjoint(subject) and _TITLES.isdisjoint(said)
            is_about = is_named or not frozenset(subjects).isdisjoint(said)
        if is_about:
            return True
    if said and (len(said) > 1 or words.tags[subject.start] != "R"):
        return False
    return _clause_before(sentences, number, clause) in strong


def _clause_before(sentences: Sequence[Weighed], number: int, clause: int) -> Clause:
    if clause or not number:
        return number, clause - 1
    return number - 1, sentences[number - 1].words.clauses[-1]


def _subject(words: Words, spot: Spot) -> range:
    subject = subject_of(words, spot.first, spot.last)
    after = spot.last + 1
    if not subject and after < len(words) and is_verb(words, after, spot.first):  # It is the term.
        return range(spot.first, spot.last + 1)
    return subject


_REACH = 4  # In words.
_NOUN_PHRASE = frozenset("D A n".split())
_NAMING = frozenset("nV")
_OPENING = frozenset("D A & B J".split())
_DEGREES = frozenset("J")
_WITHIN_NOUN_PHRASE = frozenset("A J n #".split())
_BEHIND_NOUN = frozenset("C J A H N R".split())
_PREDICATE = _BEHIND_NOUN | {"V"}
_BEHIND_VERB = frozenset("D R n J A #".split())
_CUSTOMER = (["i"], ["we"])
_TITLES = frozenset("dr doctor prof professor".split())


def _begins_clause(words: Words, first: int) -> bool:
    """Whether nothing but what belongs to the noun there stands before it, back to a comma."""
    low = words.clause_bounds(first)[0]
    for at in range(first - 1, low - 1, -1):
        if words.tags[at] not in _OPENING:
            return words.tags[at] == ","
    return True


def _qualifies_another(words: Words, spot: Spot, subjects: Sequence[str]) -> bool:
    """Whether the term only describes a noun behind it: "nice tank", "the check-in staff"."""
    after = spot.last + 1
    if words.tags[spot.last] == "A" and words.words[after : after + 1] in (["to"], ["if"]):
        return True  # "It would be nice to".
    return (
        after < len(words)
        and words.tags[after] == "n"
        and words.clauses[after] == words.clauses[spot.last]
        and {"A", "n"}.issuperset(words.tags[spot.first : after])
        and words.words[after] not in subjects
        and words.words[spot.last] not in subjects  # "Owner Jane".
    )


def _is_bare_noun(sentence: Weighed, spot: Spot) -> bool:
    """Whether the term is a noun that judges nothing."""
    strengths = sentence.valences.strengths[spot.first : spot.last + 1]
    tags = sentence.words.tags[spot.first : spot.last + 1]
    return tags[-1] == "n" and _NOUN_PHRASE.issuperset(tags) and not any(strengths)


def _is_judged(sentence: Weighed, spot: Spot) -> bool:
    """Whether a noun or verb is praised or blamed, or its verb denied."""
    words, first, last = sentence.words, spot.first, spot.last
    if any(sentence.valences.strengths[first : last + 1]) or _qualifies_another(words, spot, ()):
        return False
    low, high = words.clause_bounds(first)
    behind = range(last + 1, min(high, last + _REACH) + 1)
    before = range(first - 1, max(low, first - _REACH) - 1, -1)
    if _is_verb_there(words, spot):
        return (
            _is_denied(words, spot)
            or _judge(sentence, behind, _BEHIND_VERB)
            or _judge(sentence, before, _DEGREES)
        )
    is_noun = _NOUN_PHRASE.issuperset(words.tags[first:last]) and words.tags[last] in _NAMING
    return is_noun and (
        (first > low and words.words[first - 1] == "no")
        or _judge(sentence, behind, _PREDICATE if _begins_clause(words, first) else _BEHIND_NOUN)
        or _judge(sentence, before, _WITHIN_NOUN_PHRASE)
        or _is_felt(words, first, low)
    )


def is_blamed(sentence: Weighed, spot: Spot) -> bool:
    """Whether the words there blame, or a word that blames speaks of them."""
    strengths, last = sentence.valences.strengths, spot.last
    return any(strength < 0 for strength in strengths[spot.first : last + 1]) or any(
        strengths[at] < 0 and head == last
        for at, head in zip(sentence.judging, sentence.heads, strict=True)
    )


def _is_denied(words: Words, spot: Spot) -> bool:
    """Whether somebody else than the customer did not do it: "they never fixed it"."""
    subject = subject_of(words, spot.first, spot.last)
    if words.words[subject.start : subject.stop] in _CUSTOMER:
        return False
    return not NEGATORS.isdisjoint(words.words[max(0, spot.first - 2) : spot.first])


def _is_felt(words: Words, first: int, low: int) -> bool:
    """Whether somebody has feelings about the noun there: "happy with the repair"."""
    begin = first - (words.tags[first] != "D")
    while begin > low and words.tags[begin] == "D":
        begin -= 1
    return begin > low and words.tags[begin] == "P" and words.words[begin - 1] in _WORDS["feelings"]


def _is_verb_there(words: Words, spot: Spot) -> bool:
    """Whether the term is used as a verb, unlike "the repair was good"."""
    first, last = spot.first, spot.last
    if words.tags[first] != "V":
        return False
    is_noun = words.tags[first - 1 : first] in (["D"], ["A"], ["N"]) or (
        words.tags[last + 1 : last + 2] == ["C"] and first == words.clause_bounds(first)[0]
    )
    return not is_noun


def _judge(sentence: Weighed, places: range, passing: frozenset[str]) -> bool:
    """Whether a word there judges, before one whose part of speech is not `passing`."""
    for at in places:
        if sentence.valences.strengths[at] or sentence.valences.reasons[at] == FAINT:
            return True
        if sentence.words.tags[at] not in passing:
            return False
    return False
