"""Tell this business from others in a clause.

What is told of an insurer, of another firm or of the customer's husband is neither a problem that
this business made, a complaint about it, nor an aspect of it.
"""

from collections.abc import Sequence

from review_analysis.features import ScoredSentence
from review_analysis.segments import Words, subject_of
from review_analysis.weak_terms import WordSpan
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

CUSTOMER = frozenset({"i", "we"})  # As a subject.
_PEOPLE = frozenset("he she they".split())
# Other people and firms that reviews tell of.
_OUTSIDERS = _WORDS["outsiders"]
_OTHER = frozenset("most other another others previous last former old first second".split())
_BESIDE_VERBS = frozenset("H N J".split())
_NOUN_PHRASE = frozenset("DAnJ#")
_VERBAL = frozenset("CHV")
_BETWEEN_PARTS = frozenset({",", ".", "B", "W"})
_ARTICLES = frozenset("a an the this these my our his her their".split())
_LONGEST = 5  # In words.


def is_outsider(words: Words, part: range) -> bool:
    """Whether a noun phrase means somebody else than this business."""
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
    """Noun phrase before the nearest verb: "that the others never mentioned"."""
    low = words.clause_bounds(first)[0]
    verb = first
    while verb > low and words.tags[verb] not in _VERBAL | {"N"}:
        verb -= 1
        if words.tags[verb] in _BETWEEN_PARTS:
            return range(first, first)
    while verb > low and words.tags[verb - 1] in _VERBAL | _BESIDE_VERBS:
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
    """Whether the words there are told of others, by subject, by origin or by comparison."""
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
    # "Another firm came. They never called back." goes on about that one.
    said = words.words[subject.start : subject.stop]
    if not span.sentence or len(said) > 1 or _PEOPLE.isdisjoint(said):
        return False
    before = sentences[span.sentence - 1].words
    end = len(before) - 1
    return is_outsider(before, subject_of(before, end, end))
