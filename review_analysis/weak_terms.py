"""Rules that decide whether a weak term refers to its aspect.

"Nice" praises the staff in "nice staff" and in "she was nice", but not in "nice rides". A weak term
counts in a clause with another term of its aspect, or whose subject is one of the aspect's
subjects, somebody's name, or the aspect of the clause before. A noun or verb without polarity also
counts if another word judges it: "installed it well"; not "the day they came to install it".
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from review_analysis.features import ScoredSentence
from review_analysis.grammar import NEGATORS
from review_analysis.segments import Words, is_verb, subject_of
from review_analysis.valence import FAINT
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

Clause = tuple[int, int]  # The sentence, and the clause in it.


class WordSpan(NamedTuple):
    """Words first..last, inclusive, of a sentence."""

    sentence: int
    first: int
    last: int


def clause_of(sentences: Sequence[ScoredSentence], span: WordSpan) -> Clause:
    return span.sentence, sentences[span.sentence].words.clauses[span.first]


def are_relevant(
    sentences: Sequence[ScoredSentence],
    spans: Sequence[tuple[WordSpan, bool]],
    subjects: Sequence[str],
    named: Sequence[frozenset[int]],
) -> list[bool]:
    """Tell which terms of an aspect refer to it.

    `spans` tells which terms are weak, `named` the words of each sentence that name somebody.
    """
    strong = {clause_of(sentences, span) for span, is_weak in spans if not is_weak}
    strong |= {
        clause
        for span, _ in spans
        if (clause := clause_of(sentences, span)) not in strong
        and _is_judged(sentences[span.sentence], span)
    }
    return [
        clause_of(sentences, span) in strong
        or _is_about_aspect(sentences, span, strong, subjects, named[span.sentence])
        for span, _ in spans
    ]


def _is_about_aspect(
    sentences: Sequence[ScoredSentence],
    span: WordSpan,
    strong: Collection[Clause],
    subjects: Sequence[str],
    named: frozenset[int],
) -> bool:
    """Whether the clause of a term is about the aspect."""
    number, clause = clause_of(sentences, span)
    sentence = sentences[number]
    words = sentence.words
    subject = _subject(words, span)
    said = words.words[subject.start : subject.stop]
    if _qualifies_another(words, span, subjects):
        return False
    if subjects:
        if "who" in words.words[span.last : span.last + 2]:
            is_about = True
        elif _is_bare_noun(sentence, span):  # "The manager hung up", not "I asked the manager".
            is_about = span.first in subject or _begins_clause(words, span.first)
        else:
            # Staff at a front desk are not called "Dr. Hart".
            is_named = not named.isdisjoint(subject) and _TITLES.isdisjoint(said)
            is_about = is_named or not frozenset(subjects).isdisjoint(said)
        if is_about:
            return True
    if said and (len(said) > 1 or words.tags[subject.start] != "R"):
        return False
    return _clause_before(sentences, number, clause) in strong


def _clause_before(sentences: Sequence[ScoredSentence], number: int, clause: int) -> Clause:
    if clause or not number:
        return number, clause - 1
    return number - 1, sentences[number - 1].words.clauses[-1]


def _subject(words: Words, span: WordSpan) -> range:
    subject = subject_of(words, span.first, span.last)
    after = span.last + 1
    if not subject and after < len(words) and is_verb(words, after, span.first):
        return range(span.first, span.last + 1)
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
    """Whether only modifiers precede the noun in its clause, or after a comma."""
    low = words.clause_bounds(first)[0]
    for at in range(first - 1, low - 1, -1):
        if words.tags[at] not in _OPENING:
            return words.tags[at] == ","
    return True


def _qualifies_another(words: Words, span: WordSpan, subjects: Sequence[str]) -> bool:
    """Whether the term only modifies the following noun: "nice tank"."""
    after = span.last + 1
    if words.tags[span.last] == "A" and words.words[after : after + 1] in (["to"], ["if"]):
        return True  # "It would be nice to".
    return (
        after < len(words)
        and words.tags[after] == "n"
        and words.clauses[after] == words.clauses[span.last]
        and {"A", "n"}.issuperset(words.tags[span.first : after])
        and words.words[after] not in subjects
        and words.words[span.last] not in subjects  # "Owner Jane".
    )


def _is_bare_noun(sentence: ScoredSentence, span: WordSpan) -> bool:
    """Whether the term is a noun without polarity."""
    strengths = sentence.valences.strengths[span.first : span.last + 1]
    tags = sentence.words.tags[span.first : span.last + 1]
    return tags[-1] == "n" and _NOUN_PHRASE.issuperset(tags) and not any(strengths)


def _is_judged(sentence: ScoredSentence, span: WordSpan) -> bool:
    """Whether a noun or verb is praised or blamed, or a verb denied."""
    words, first, last = sentence.words, span.first, span.last
    if any(sentence.valences.strengths[first : last + 1]) or _qualifies_another(words, span, ()):
        return False
    low, high = words.clause_bounds(first)
    behind = range(last + 1, min(high, last + _REACH) + 1)
    before = range(first - 1, max(low, first - _REACH) - 1, -1)
    if _is_verb_there(words, span):
        return (
            _is_denied(words, span)
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


def is_blamed(sentence: ScoredSentence, span: WordSpan) -> bool:
    """Whether the words blame, or a word of blame refers to them."""
    strengths, last = sentence.valences.strengths, span.last
    return any(strength < 0 for strength in strengths[span.first : last + 1]) or any(
        strengths[at] < 0 and head == last
        for at, head in zip(sentence.opinion_words, sentence.heads, strict=True)
    )


def _is_denied(words: Words, span: WordSpan) -> bool:
    """Whether the verb is denied and not the customer's: "they never fixed it"."""
    subject = subject_of(words, span.first, span.last)
    if words.words[subject.start : subject.stop] in _CUSTOMER:
        return False
    return not NEGATORS.isdisjoint(words.words[max(0, span.first - 2) : span.first])


def _is_felt(words: Words, first: int, low: int) -> bool:
    """Whether the noun is the object of a feeling: "happy with the repair"."""
    begin = first - (words.tags[first] != "D")
    while begin > low and words.tags[begin] == "D":
        begin -= 1
    return begin > low and words.tags[begin] == "P" and words.words[begin - 1] in _WORDS["feelings"]


def _is_verb_there(words: Words, span: WordSpan) -> bool:
    """Whether the term is a verb; not in "the repair was good"."""
    first, last = span.first, span.last
    if words.tags[first] != "V":
        return False
    is_noun = words.tags[first - 1 : first] in (["D"], ["A"], ["N"]) or (
        words.tags[last + 1 : last + 2] == ["C"] and first == words.clause_bounds(first)[0]
    )
    return not is_noun


def _judge(sentence: ScoredSentence, places: range, passing: frozenset[str]) -> bool:
    """Whether an opinion word precedes the first tag not in `passing`."""
    for at in places:
        if sentence.valences.strengths[at] or sentence.valences.reasons[at] == FAINT:
            return True
        if sentence.words.tags[at] not in passing:
            return False
    return False
