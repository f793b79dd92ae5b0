"""Decide whether words of a problem tell of this business's own.

They do not where they are denied ("was not a pushy sales person"), told of somebody else ("other
firms did not show up"), of the customer ("I was late"), feared or imagined ("I was afraid of a
huge bill"), or name what the business was called for or put right ("the storm damage that they
repaired"), nor in what other customers do ("rude tourists"). All of it follows from the words
around the term in its sentence, and from the sentences before it.
"""

from collections.abc import Sequence

from review_analysis import grammar, subjects
from review_analysis.features import ScoredSentence
from review_analysis.reading import Label
from review_analysis.segments import VERBS, Words, is_verb, subject_of
from review_analysis.weak_terms import WordSpan
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_CUSTOMERS = frozenset("i we me us myself ourselves".split())
_OWN = frozenset("my our".split())
# Of things called "my" those that the business makes, and the customer's own remarks.
_MADE = _WORDS["made"]
# How a customer comes with something to be mended.
_COMING = _WORDS["coming"]
_MENDING = _WORDS["mending"]
# Before something feared, expected or imagined.
_IMAGINED = _WORDS["imagined"]
_BEYOND = frozenset("instead unlike without free far lack sick tired rather opposite".split())
_STOPS = frozenset((".", "B", ";"))
_NEAR = 8  # Words before a term that may deny or imagine it.
_NOT_DENIED = frozenset("only just merely simply wonder doubt".split())
_CLAUSAL = frozenset("because why , only".split())
_THINKING = frozenset("feel felt think thought believe say find found".split())


def is_about_business(
    sentences: Sequence[ScoredSentence], span: WordSpan, overall: Label, *, is_praise: bool
) -> bool:
    """Whether a problem is told of this business.

    `overall` is the label of the review; `is_praise` says that the words there praise.
    """
    words, first, last = sentences[span.sentence].words, span.first, span.last
    if _is_denied(words, first, last):
        return False
    if is_praise and not _is_done_by_business(words, first, last):
        return False
    if _is_imagined(words, first):
        return False
    if subjects.is_about_others(sentences, span):
        return False
    return not _is_brought(words, first, last, overall)


def _is_denied(words: Words, first: int, last: int) -> bool:
    """Whether a negator of its clause reaches the term: "no hidden fees, surprises"."""
    if words.words[first] in grammar.NEGATORS and words.tags[max(0, first - 1)] != "D":
        return False  # Unlike "never had a no show".
    low = words.clause_bounds(first)[0]
    for index in range(first - 1, max(low, first - _NEAR) - 1, -1):
        word, tag = words.words[index], words.tags[index]
        if tag in _STOPS or (tag == "," and not _is_list(words, index, first)):
            return False
        if tag == "R" and index < first - 1 and words.tags[index + 1] in VERBS:
            return _denies(words, index - 1, low)  # "Not once did they overcharge us".
        if word in grammar.NEGATORS or word in _BEYOND:
            follows = words.words[index + 1 : index + 2]
            mends = not _MENDING.isdisjoint(words.words[index + 1 : first])  # "Never fixed the".
            goes_on = index + 1 < first and not _NOT_DENIED.isdisjoint(follows)
            return not goes_on and not mends
    return False


def _denies(words: Words, index: int, low: int) -> bool:
    """Whether words before a subject deny its deed: "not once did they"."""
    reach = 6 if not _THINKING.isdisjoint(words.words[index : index + 1]) else 3
    part = words.words[max(low, index - reach) : index + 1]
    return not grammar.NEGATORS.isdisjoint(part) and _CLAUSAL.isdisjoint(part)


def _is_list(words: Words, comma: int, first: int) -> bool:
    """Whether a list goes on behind a comma, without a verb or a subject of its own."""
    between = words.tags[comma + 1 : first]
    return not (VERBS & set(between)) and "R" not in between


def _is_imagined(words: Words, first: int) -> bool:
    low = words.clause_bounds(first)[0]
    # A condition may stand in the clause before, of which it is the reason: "if you are worried".
    for index in range(first - 1, max(low, first - _NEAR) - 1, -1):
        word = words.words[index]
        if words.tags[index] in _STOPS:
            return False
        if word in _IMAGINED:  # Unlike "as if" and the advice "expect to wait".
            return word != "expect" and words.words[max(0, index - 1)] != "as"
    return False


# --- What the business was called for -------------------------------------------------------------


def _is_brought(words: Words, first: int, last: int, overall: Label) -> bool:
    """Whether the term names what was to be mended, in a review that is no blame."""
    if overall == "negative" or _is_done_by_business(words, first, last):
        return False
    low = words.clause_bounds(first)[0]
    before = range(first - 1, max(low, first - _NEAR + 1) - 1, -1)
    mends = any(words.words[at] in _MENDING for at in before)
    return mends or _is_own(words, first, last)


def _is_own(words: Words, first: int, last: int) -> bool:
    """Whether it is something of the customer's: "my AC was broken"."""
    subject = subject_of(words, first, last)
    part = words.words[subject.start : subject.stop]
    if not _OWN.isdisjoint(part):
        return _MADE.isdisjoint(part)
    is_customer = part[-1:] in (["i"], ["we"])
    return is_customer and not _COMING.isdisjoint(words.words[subject.stop : subject.stop + 1])


def _is_done_by_business(words: Words, first: int, last: int) -> bool:
    """Whether the term holds the verb whose subject is this business."""
    subject = subject_of(words, first, last)
    if not subject or not _CUSTOMERS.isdisjoint(words.words[subject.start : subject.stop]):
        return False
    if not _OWN.isdisjoint(words.words[subject.start : subject.stop]):
        return False
    verb = subject.stop
    return (
        verb < len(words)
        and is_verb(words, verb, subject.start)
        and (words.tags[verb] != "C" or (first == verb and last > verb + 1))
        and words.words[verb] not in _MENDING
        and first <= verb + 2
    )
