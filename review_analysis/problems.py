"""Rules that decide whether words report a problem of this business.

They do not if they are denied ("was not a pushy sales person"), refer to other firms ("other firms
did not show up"), other customers ("rude tourists") or the writer ("I was late"), are feared or
imagined ("I was afraid of a huge bill"), or name what the business was asked to repair ("the storm
damage that they repaired"). The rules look at the sentence of the term and those before it.
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
_MADE = _WORDS["made"]  # Things that the business makes: "my order".
_COMING = _WORDS["coming"]  # Verbs of a customer who brings something for repair.
_MENDING = _WORDS["mending"]
_IMAGINED = _WORDS["imagined"]  # Words before something feared, expected or imagined.
_BEYOND = frozenset("instead unlike without free far lack sick tired rather opposite".split())
_STOPS = frozenset((".", "B", ";"))
_NEAR = 8  # Number of words before a term that may deny it.
_NOT_DENIED = frozenset("only just merely simply wonder doubt".split())
_CLAUSAL = frozenset("because why , only".split())
_THINKING = frozenset("feel felt think thought believe say find found".split())


def is_about_business(
    sentences: Sequence[ScoredSentence], span: WordSpan, overall: Label, *, is_praise: bool
) -> bool:
    """Whether the words report a problem of this business.

    `overall` is the label of the review. `is_praise` tells whether the words praise.
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
    """Whether a negator in the clause denies the term: "no hidden fees, surprises"."""
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
    """Whether words before a subject deny its verb: "not once did they"."""
    reach = 6 if not _THINKING.isdisjoint(words.words[index : index + 1]) else 3
    part = words.words[max(low, index - reach) : index + 1]
    return not grammar.NEGATORS.isdisjoint(part) and _CLAUSAL.isdisjoint(part)


def _is_list(words: Words, comma: int, first: int) -> bool:
    """Whether a list continues after a comma, without another verb or subject."""
    between = words.tags[comma + 1 : first]
    return not (VERBS & set(between)) and "R" not in between


def _is_imagined(words: Words, first: int) -> bool:
    low = words.clause_bounds(first)[0]
    # The clause may be the reason in a condition: "if you are worried about".
    for index in range(first - 1, max(low, first - _NEAR) - 1, -1):
        word = words.words[index]
        if words.tags[index] in _STOPS:
            return False
        if word in _IMAGINED:  # Unlike "as if" and the advice "expect to wait".
            return word != "expect" and words.words[max(0, index - 1)] != "as"
    return False


# --- Problems that the business was asked to repair -----------------------------------------------


def _is_brought(words: Words, first: int, last: int, overall: Label) -> bool:
    """Whether the term names what was to be repaired, in a review that is not negative."""
    if overall == "negative" or _is_done_by_business(words, first, last):
        return False
    low = words.clause_bounds(first)[0]
    before = range(first - 1, max(low, first - _NEAR + 1) - 1, -1)
    mends = any(words.words[at] in _MENDING for at in before)
    return mends or _is_own(words, first, last)


def _is_own(words: Words, first: int, last: int) -> bool:
    """Whether the term is about the customer's property: "my AC was broken"."""
    subject = subject_of(words, first, last)
    part = words.words[subject.start : subject.stop]
    if not _OWN.isdisjoint(part):
        return _MADE.isdisjoint(part)
    is_customer = part[-1:] in (["i"], ["we"])
    return is_customer and not _COMING.isdisjoint(words.words[subject.stop : subject.stop + 1])


def _is_done_by_business(words: Words, first: int, last: int) -> bool:
    """Whether the term contains a verb whose subject is this business."""
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
