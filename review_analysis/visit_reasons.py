"""Find reasons for a visit; to name one is neither praise nor blame.

"We called them for a clogged toilet" is no blame for the toilet.
"""

import re

from review_analysis.features import Weighed
from review_analysis.grammar import NEGATORS

# One of these verbs stands in every clause that tells of it.
_SENT_FOR = "call called hire hired book booked contacted phoned emailed brought took"
_HAD = "have had use used got chose"
_CAME = "came went stopped was were"
_WANTED = "needed wanted"
_VERBS = frozenset(f"{_SENT_FOR} {_HAD} {_CAME} {_WANTED}".split())


def _any_of(words: str) -> str:
    return f"(?:{words.replace(' ', '|')})"


_WHOM = (
    r" (?:(?:the|these|this|those|an?|our) )?(?:them|him|her|guys|folks|people|company|crew|team"
    r"|place|shop|plumber|electrician|somebody|someone)"
)
_WHAT = r" (?:it|(?:an?|the|this|these|those|my|our) \w+(?: \w+)?)"
_WHERE = (
    r"(?: (?:out|in|over|by|here|there|up|today|yesterday|recently|(?:last|this|on) (?:an? )?\w+))"
)
_FOR = r" (?:for|about)"
_TO_DO = r" to (?!the|an?|my|our|me|us)\w+"
# A clause that tells of it and of nothing else; `what` is what it was for.
_STATEMENT = re.compile(
    r"(?:(?:.* )?(?:"
    rf"{_any_of(_SENT_FOR)}(?:{_WHOM}|{_WHAT})?{_WHERE}{{0,3}}{_FOR}"
    rf"|{_any_of(_SENT_FOR + ' ' + _HAD)}{_WHOM}{_WHERE}{{0,3}}(?:{_FOR}|{_TO_DO})"
    rf"|(?:have|had){_WHOM} (?:do|fix|repair|replace|clear|install|handle|look at|take care of)"
    rf"|{_any_of(_CAME)}{_WHERE}{{1,3}}(?:{_FOR}|{_TO_DO}))"
    rf"|(?:i |we |they |he |she )?{_any_of(_CAME)} for"
    rf"|(?:i|we|they|he|she) came{_TO_DO}"
    rf"|(?:this|(?:my|our) (?:\w+ )?(?:appointment|visit|call|job|case|meeting)) was{_FOR}"
    rf"|(?:i |we )?(?:just |really |only )?{_any_of(_WANTED)}(?= (?:an?|my|our|someone|somebody) )"
    r")"
    r"(?P<what>(?: \S+){1,8})"
)
# Told as a complaint, or for how long: "used them for years".
_OTHERWISE = frozenset(
    "again same still twice times third second refund nothing never years year months ages decades"
    " decade life hour hours minutes days weeks while long".split()
)
# Adjectives that weigh no more tell what has to be mended ("broken"), not an opinion.
_BLAME, _PRAISE = -3.0, 2.4
_SUPERLATIVES = frozenset({"best", "worst"})
_KINDS = frozenset({"criminal"})  # Of cases.
_NO_NOUN = frozenset({",", ".", "B", "W", "C", "H", "N"})  # Of the tags of grammar.


def is_visit_reason(sentence: Weighed, first: int) -> bool:
    """Whether the word at `first` tells what somebody came for, and its clause says no more."""
    words = sentence.words
    low, high = words.clause_bounds(first)
    if _VERBS.isdisjoint(words.words[low:first]):
        return False
    tags = words.tags
    # "Came in for a crown, was dreading it".
    stop = next((at for at in range(first, high) if tags[at] == "," and tags[at + 1] != "W"), high)
    begin = _begin(sentence, low, stop)
    return begin is not None and begin <= first


def is_only_visit_reason(sentence: Weighed) -> bool:
    """Whether the whole sentence says what somebody came for, and no more."""
    words = sentence.words
    if not words.words or words.clauses[-1] or _VERBS.isdisjoint(words.words):
        return False
    return _begin(sentence, 0, len(words) - 1) is not None


def _begin(sentence: Weighed, low: int, high: int) -> int | None:
    """Where what somebody came for begins, in a clause that tells of it without an opinion."""
    words, tags = sentence.words.words, sentence.words.tags
    while high > low and tags[high] in {",", "."}:
        high -= 1
    clause = words[low : high + 1]
    statement = _STATEMENT.fullmatch(" ".join(clause))
    if statement is None or not _OTHERWISE.isdisjoint(clause):
        return None
    begin = high + 1 - len(statement["what"].split())
    if not _NO_NOUN.isdisjoint(tags[begin : high + 1]):
        return None
    if any(sentence.valences.strengths[low:begin]) or not NEGATORS.isdisjoint(words[low:begin]):
        return None
    return None if any(_is_opinion(sentence, at) for at in range(begin, high + 1)) else begin


def _is_opinion(sentence: Weighed, at: int) -> bool:
    word = sentence.words.words[at]
    if word in _SUPERLATIVES:
        return True
    weighs = not _BLAME < sentence.valences.strengths[at] < _PRAISE
    return weighs and sentence.words.tags[at] == "A" and word not in _KINDS
