"""Rules that recognise clauses about others than this business.

A clause about an insurer, another firm or the customer's husband contains neither a complaint about
this business nor one of its problems or aspects.
"""

from collections.abc import Sequence

from review_analysis.features import ScoredSentence
from review_analysis.segments import VERBS, Words, subject_of
from review_analysis.weak_terms import WordSpan
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_PEOPLE = frozenset("he she they".split())
_OUTSIDERS = _WORDS["outsiders"]  # Other people and firms.
_OTHER = frozenset("most other another others previous last former old first second".split())
_BESIDE_VERBS = frozenset("H N J".split())
_NOUN_PHRASE = frozenset("DAnJ#")
_BETWEEN_PARTS = frozenset({",", ".", "B", "W"})
_ARTICLES = frozenset("a an the this these my our his her their".split())
_LONGEST = 5  # Words of a noun phrase.


def is_outsider(words: Words, part: range) -> bool:
    """Whether a noun phrase refers to somebody outside this business."""
    for index in part:
        word = words.words[index]
        if word in _OUTSIDERS or word == "others":
            return True
        if word in _OTHER:
            nouns = words.words[index + 1 : index + 4]
            if not _WORDS["trades"].isdisjoint(nouns):
                return True
    return False


def nearest_subject(words: Words, first: int) -> range:
    """Return the noun phrase before the nearest verb: "that the others never mentioned"."""
    low = words.clause_bounds(first)[0]
    verb = first
    while verb > low and words.tags[verb] not in VERBS | {"N"}:
        verb -= 1
        if words.tags[verb] in _BETWEEN_PARTS:
            return range(first, first)
    while verb > low and words.tags[verb - 1] in VERBS | _BESIDE_VERBS:
        verb -= 1
    begin = verb
    if begin > low and words.tags[begin - 1] == "R":
        return range(begin - 1, verb)
    while begin > max(low, verb - _LONGEST) and words.tags[begin - 1] in _NOUN_PHRASE:
        begin -= 1
        if words.words[begin] in _ARTICLES:
            break
    return range(begin, verb)


def is_about_others(sentences: Sequence[ScoredSentence], span: WordSpan) -> bool:
    """Whether the words are about others, by subject, agent, origin or comparison."""
    words, first, last = sentences[span.sentence].words, span.first, span.last
    subject = subject_of(words, first, last)
    low = words.clause_bounds(first)[0]
    end = min(len(words), last + 6)
    parts = [subject, nearest_subject(words, first)]
    if "by" in words.words[last : last + 3]:
        parts.append(range(last, end))
    if "from" in words.words[low:first]:
        parts.append(range(low, end))
    if any(is_outsider(words, part) for part in parts) or "elsewhere" in words.words[low:end]:
        return True
    # "Another firm came. They never called back." is about that firm.
    said = words.words[subject.start : subject.stop]
    if not span.sentence or len(said) > 1 or _PEOPLE.isdisjoint(said):
        return False
    before = sentences[span.sentence - 1].words
    end = len(before) - 1
    return is_outsider(before, subject_of(before, end, end))
