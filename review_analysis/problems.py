"""Decide whether words of a problem tell of this business's own.

They do not where they are denied ("was not a pushy sales person"), told of somebody else ("other
firms did not show up"), of the customer ("I was late"), feared or imagined ("I was afraid of a
huge bill"), or name what the business was called for or put right ("the storm damage that they
repaired"), nor in what other customers do ("rude tourists"). All of it follows from the words
around the term in its sentence, and from the sentences before it.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from review_analysis import grammar, subjects
from review_analysis.features import Weighed
from review_analysis.reading import Label
from review_analysis.segments import VERBS, Words, is_verb, subject_of
from review_analysis.weak_terms import Spot
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_CUSTOMERS = frozenset("i we me us myself ourselves".split())
_OWN = frozenset("my our".split())
# Of things called "my" those that the business makes, and the customer's own remarks.
_MADE = _WORDS["made"]
# How a customer comes with something to be mended.
_COMING = _WORDS["coming"]
# Causes of damage that no business is to blame for.
_CAUSES = _WORDS["causes"]
_MENDING = _WORDS["mending"]
_THEIR = frozenset("their his her your".split())
# Before something feared, expected, imagined or spared.
_IMAGINED = _WORDS["imagined"]
# Ways around a nuisance, in a review that is no blame: "hate standing in long lines".
_SPARED = frozenset("hate hates dislike escape escaped beat skip skipped skipping bypass".split())
# Advice denies nothing: "don't waste your time with these crooks", "never go to this dump".
_ADVICE = _WORDS["advice"]
_BEYOND = frozenset("instead unlike without free far lack sick tired rather opposite".split())
_STOPS = frozenset((".", "B", ";"))
_NEAR = 8  # Words before a term that may deny or imagine it.
_NOT_DENIED = frozenset("only just merely simply wonder doubt".split())
_THINKING = frozenset("feel felt think thought believe say find found".split())
_CLAUSAL = frozenset("because why , only".split())
_ASTONISHED = frozenset("believe understand fathom stand imagine".split())
_HARD = frozenset("hard impossible difficult".split())
_WILLING = frozenset("will would 'll 'd".split())
_REFUSALS = frozenset("won't wont wouldn't wouldnt".split())


def is_of_business(
    sentences: Sequence[Weighed], spot: Spot, overall: Label, *, is_praise: bool
) -> bool:
    """Whether a problem is told of this business.

    `overall` is the label of the review; `is_praise` says that the words there praise.
    """
    words, first, last = sentences[spot.sentence].words, spot.first, spot.last
    if _is_denied(words, first, last):
        return False
    if is_praise and not _is_done_by_business(words, first, last):
        return False
    if _is_imagined(words, first, overall):
        return False
    if subjects.is_of_others(sentences, spot):
        return False
    return not _is_brought(words, first, last, overall)


def _is_denied(words: Words, first: int, last: int) -> bool:
    """Whether a negator before the term reaches it: within the clause, across no mark but with
    all that a list joins ("no hidden fees, surprises or upselling").
    """
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
            if _is_advice(words, index, low):
                return False
            follows = words.words[index + 1 : index + 2]
            mends = not _MENDING.isdisjoint(words.words[index + 1 : first])  # "Never fixed the".
            goes_on = index + 1 < first and not _NOT_DENIED.isdisjoint(follows)
            return not goes_on and not mends
    return False


def _is_advice(words: Words, negator: int, low: int) -> bool:
    """Whether the negator gives advice or shows surprise.

    "Do not go to this dump", "I won't be back to these crooks", "can't believe how rude".
    """
    after = words.words[negator + 1 : negator + 4]
    if not _ASTONISHED.isdisjoint(after[:1]):
        return True
    before = words.words[max(low, negator - 1) : negator]
    if words.words[negator] in _REFUSALS or not _WILLING.isdisjoint(before):
        return not (_ADVICE | {"be"}).isdisjoint(after)
    begin = negator - 1 if before == ["do"] else negator
    is_first = begin <= low or words.tags[begin - 1] in {",", "&", "J", "B"}
    return is_first and not _ADVICE.isdisjoint(after[:2])


def _denies(words: Words, index: int, low: int) -> bool:
    """Whether the words before a subject deny what it does: "not once did they", "at no point
    did I feel they".
    """
    reach = 6 if not _THINKING.isdisjoint(words.words[index : index + 1]) else 3
    part = words.words[max(low, index - reach) : index + 1]
    return any(word in grammar.NEGATORS for word in part) and _CLAUSAL.isdisjoint(part)


def _is_list(words: Words, comma: int, first: int) -> bool:
    """Whether a list goes on behind a comma, without a verb or a subject of its own."""
    between = words.tags[comma + 1 : first]
    return not (VERBS & set(between)) and "R" not in between


def _is_imagined(words: Words, first: int, overall: Label) -> bool:
    low = words.clause_bounds(first)[0]
    # A condition may stand in the clause before, of which it is the reason: "if you are worried".
    for index in range(first - 1, max(low, first - _NEAR) - 1, -1):
        word, tag = words.words[index], words.tags[index]
        if tag in _STOPS:
            return False
        if word in _IMAGINED or (word in _SPARED and overall != "negative"):
            return _is_meant_as_imagined(words, index, low)
        if word == "may" and tag == "H":
            return True
    return _is_conditional(words, low, first)


def _is_conditional(words: Words, low: int, first: int) -> bool:
    """Whether a condition makes it unreal.

    "It would have been easy to upsell her", "it is hard to believe he would be rude".
    """
    for index in range(max(low, first - 2 * _NEAR), first - 1):
        is_modal = words.words[index] in {"would", "could", "'d"} and words.tags[index] == "H"
        before = words.words[max(low, index - 6) : index]
        if is_modal and not _HARD.isdisjoint(before) and not _ASTONISHED.isdisjoint(before):
            return True
        if is_modal and words.words[index + 1] == "have":
            return "should" not in words.words[low:index]
    return False


def _is_meant_as_imagined(words: Words, index: int, low: int) -> bool:
    """Unlike "as if" and the advice "expect to wait"."""
    if words.words[index] == "if":
        return words.words[index - 1 : index] != ["as"]
    return words.words[index] != "expect" or not _CUSTOMERS.isdisjoint(words.words[low:index])


# --- What the business was called for -------------------------------------------------------------


def _is_brought(words: Words, first: int, last: int, overall: Label) -> bool:
    """Whether the term names what was to be mended: the object of a verb that mends it, damage
    with a cause of its own, or a thing of the customer's in a review that is praise.
    """
    low, high = words.clause_bounds(first)
    if _is_done_by_business(words, first, last):
        return False
    if any(_is_cause(words, at) for at in range(low, high + 1) if not first <= at <= last):
        return overall != "negative" or any(map(partial(_is_cause, words), range(first)[-3:]))
    if overall == "negative":
        return False
    for place in _mending(words, first, last):
        if not _is_undone(words, place, low if place < first else last + 1):
            return place > last or _THEIR.isdisjoint(words.words[place + 1 : first])
    return _is_own(words, first, last)


def _is_cause(words: Words, at: int) -> bool:
    """Of damage: a noun, unlike the verb in "they should fire him"."""
    return words.words[at] in _CAUSES and (not at or words.tags[at - 1] in {"D", "A", "P", "n"})


def _mending(words: Words, first: int, last: int) -> Iterator[int]:
    """Verbs that mend, at most seven words before or behind the term in its clause."""
    low, high = words.clause_bounds(first)
    for at in range(first - 1, max(low, first - _NEAR + 1) - 1, -1):
        if words.words[at] in _MENDING:
            yield at
            break
    for at in range(last + 1, min(high, last + _NEAR - 1) + 1):
        if words.words[at] in _MENDING:
            yield at
            break


def _is_own(words: Words, first: int, last: int) -> bool:
    """Whether it is something of the customer's: "my AC was broken", "I came with a broken
    necklace", unlike "my only complaint is the late delivery".
    """
    subject = subject_of(words, first, last)
    part = words.words[subject.start : subject.stop]
    verb = words.words[subject.stop : subject.stop + 2]
    if not _OWN.isdisjoint(part):
        # "My dog came back with a cut", "my son was left alone": had from the business.
        return _MADE.isdisjoint(part) and not ({"back", "home"} & set(verb[1:]) or "left" in verb)
    if not _OWN.isdisjoint(words.words[max(0, first - 2) : last + 1]):
        return True
    is_customer = part[-1:] in (["i"], ["we"]) and subject.stop < first
    return is_customer and not _COMING.isdisjoint(verb[:1])


def _is_done_by_business(words: Words, first: int, last: int) -> bool:
    """Whether the term holds the verb whose subject is this business."""
    subject = subject_of(words, first, last)
    if not subject or not _CUSTOMERS.isdisjoint(words.words[subject.start : subject.stop]):
        return False
    if not _OWN.isdisjoint(words.words[subject.start : subject.stop]):
        return False
    if any(_is_cause(words, at) for at in subject):  # "Hail damaged our siding".
        return False
    verb = subject.stop
    return (
        verb < len(words)
        and is_verb(words, verb, subject.start)
        and (words.tags[verb] != "C" or (first == verb and last > verb + 1))
        and words.words[verb] not in _MENDING
        and first <= verb + 2
    )


def _is_undone(words: Words, verb: int, low: int) -> bool:
    """Whether the repair failed: "Never fixed the leak", "could not stop it", "tried to fix"."""
    return any(
        word in grammar.NEGATORS or word in {"tried", "supposed", "failed", "still", "claimed"}
        for word in words.words[max(low, verb - 4) : verb]
    )
