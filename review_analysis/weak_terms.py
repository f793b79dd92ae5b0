"""Decide whether a weak term speaks of its aspect.

"Nice" praises the staff in "nice staff" and in "she was nice", and says nothing of it in "nice
rides". A weak term counts in a clause that holds another term of its aspect, or whose subject is
the aspect: one of its subjects, somebody's name, or what the clause before was about.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from review_analysis.features import Weighed
from review_analysis.segments import is_verb, subject_of

Clause = tuple[int, int]  # The sentence, and the clause in it.


class Spot(NamedTuple):
    """Words first..last of a sentence."""

    sentence: int
    first: int
    last: int


def clause_of(sentences: Sequence[Weighed], spot: Spot) -> Clause:
    return spot.sentence, sentences[spot.sentence].words.clauses[spot.first]


def counts(
    sentences: Sequence[Weighed],
    spot: Spot,
    strong: Collection[Clause],
    subjects: Sequence[str],
    named: frozenset[int],
) -> bool:
    """Whether the weak term there counts; `strong` are the clauses with a term that is not weak,
    `named` the words of the sentence that name somebody.
    """
    number, clause = clause_of(sentences, spot)
    if (number, clause) in strong:
        return True
    words = sentences[number].words
    subject = subject_of(words, spot.first, spot.last)
    after = spot.last + 1
    if not subject and after < len(words) and is_verb(words, after, spot.first):  # It is the term.
        subject = range(spot.first, spot.last + 1)
    said = words.words[subject.start : subject.stop]
    if subjects and not (named.isdisjoint(subject) and frozenset(subjects).isdisjoint(said)):
        return True
    if said and (len(said) > 1 or words.tags[subject.start] != "R"):
        return False
    if clause:
        return (number, clause - 1) in strong
    return number > 0 and (number - 1, sentences[number - 1].words.clauses[-1]) in strong
