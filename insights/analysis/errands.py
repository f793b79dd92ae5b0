"""What a customer came for is named, and neither praised nor blamed by that.

"We called them for a clogged toilet" blames nobody for the toilet.
"""

import re

from insights.analysis.features import Weighed

# A clause that tells of it and of nothing else; `what` is what it was for.
_TOLD = re.compile(
    r"(?:.* )?"
    r"(?:"
    r"(?:"
    r"(?:call|called|hire|hired|book|booked|use|used|have|had|got|chose|contacted|brought|phoned)"
    r" (?:(?:the|these|this|those|a|an|our) )?"
    r"(?:them|him|her|guys|folks|people|company|crew|team|place|shop|plumber|electrician)"
    r"|(?:they|he|she|guys|crew|somebody|someone|technician|tech|plumber|electrician)"
    r" (?:came|come|were|was|stopped)"
    r"|^(?:(?:i|we) )?(?:came|went|stopped|took \w+|brought \w+)"
    r")"
    r"(?: (?:out|in|over|by|here|there|up|today|yesterday|recently|last \w+|on \w+))*"
    r" (?:for|(?:to )?(?:do|fix|repair|replace|clear|install|handle|look at|take care of))"
    r"|^this was (?:about|for)"
    r")"
    r"(?P<what>(?: \S+){1,8})"
)
# Told as a complaint, or for how long: "used them for years".
_OTHERWISE = frozenset(
    "again same still twice times third second refund nothing never years year months ages decades"
    " decade life".split()
)
_OPENINGS = frozenset("for about do fix repair replace clear install handle at of".split())
# Adjectives that weigh no more tell what has to be mended ("broken"), not an opinion.
_BLAME, _PRAISE = -3.0, 2.4
_SUPERLATIVES = frozenset({"best", "worst"})
_KINDS = frozenset({"criminal"})  # Of cases.
_NO_NOUN = frozenset({",", ".", "B", "W", "C", "H", "N"})  # Of the tags of grammar.


def is_errand(sentence: Weighed, first: int) -> bool:
    """Whether the word at `first` tells what somebody came for, and its clause says no more."""
    words = sentence.words
    low, high = words.clause_bounds(first)
    if _OPENINGS.isdisjoint(words.words[low:first]):
        return False
    begin = _begin(sentence, low, high)
    return begin is not None and begin <= first


def is_errand_alone(sentence: Weighed) -> bool:
    """Whether the whole sentence says what somebody came for, and no more."""
    words = sentence.words
    if not words.words or words.clauses[-1] or _OPENINGS.isdisjoint(words.words):
        return False
    return _begin(sentence, 0, len(words) - 1) is not None


def _begin(sentence: Weighed, low: int, high: int) -> int | None:
    """Where what somebody came for begins, in a clause that tells of it without an opinion."""
    words, tags = sentence.words.words, sentence.words.tags
    while high > low and tags[high] in {",", "."}:
        high -= 1
    clause = words[low : high + 1]
    told = _TOLD.fullmatch(" ".join(clause))
    if told is None or not _OTHERWISE.isdisjoint(clause):
        return None
    begin = high + 1 - len(told["what"].split())
    if not _NO_NOUN.isdisjoint(tags[begin : high + 1]):
        return None
    if any(sentence.valences.strengths[low:begin]):
        return None
    return None if any(_is_opinion(sentence, at) for at in range(begin, high + 1)) else begin


def _is_opinion(sentence: Weighed, at: int) -> bool:
    word = sentence.words.words[at]
    if word in _SUPERLATIVES:
        return True
    weighs = not _BLAME < sentence.valences.strengths[at] < _PRAISE
    return weighs and sentence.words.tags[at] == "A" and word not in _KINDS
