"""Find what is not there, or no longer: less, lacking, taken away, or there before the work."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from review_analysis import grammar
from review_analysis.segments import Words

Kind = Literal["less", "lack", "removed", "kept", "before"]

_LESS = frozenset(("less", "lesser", "fewer"))
_NO_LESS = frozenset("or nothing care".split())  # "More or less", "could care less".
_ABLE = frozenset("could can couldn't can't cannot".split())
_LACKS = frozenset("lack lacks lacked lacking absence shortage devoid".split())
_REMOVING = frozenset(
    "remove removed removes removing eliminate eliminated eliminates eliminating hauled hauling"
    " haul carted discarded disposed rid".split()
)
_REMOVED = frozenset("removed eliminated gone hauled carted discarded".split())
_NOT_DONE = grammar.NEGATORS | {"failed", "refused", "forgot"}
_BEFORE_WORK = frozenset(
    "came come arrived started fixed replaced repaired cleaned treated installed sealed worked"
    " did removed took rebuilt renovated remodeled redid painted sprayed insulated".split()
)
_WORKERS = frozenset("they he she this these".split())
_WAS = frozenset("was were smelled looked tasted felt sounded".split())
_NO_STATE = grammar.NEGATORS | {"ever", "than", "as", "like", "he", "she", "they", "i", "we"}
_TIMES = frozenset(
    "day days week weeks night month months year years time times hour hours".split()
)
_LONGEST = 6  # In words.
_LONGEST_STATE = 30
_CUES = _LESS | _LACKS | _REMOVING | _REMOVED | {"before"}


class Absence(NamedTuple):
    """Words first..last that are absent, and the word that says so."""

    first: int
    last: int
    cue: int
    kind: Kind


def find(sentence: Words) -> Iterator[Absence]:
    """Every absence, by the words that say so."""
    words = sentence.words
    if _CUES.isdisjoint(words):
        return
    for index, word in enumerate(words):
        if word in _LESS:
            yield from _less(sentence, index)
        elif word in _LACKS:
            of = index + 1 if words[index + 1 : index + 2] == ["of"] else index
            if of > index or word in {"lacks", "lacked", "lacking"}:
                yield from _group(sentence, of + 1, index, "lack")
        elif word == "before":
            yield from _before(sentence, index)
        elif word in _REMOVING or word in _REMOVED:
            yield from _removed(sentence, index)


def _less(sentence: Words, cue: int) -> Iterator[Absence]:
    """ "Less crowded", "fewer queues" and "less than fresh", unlike "much less get a call"."""
    words, tags = sentence.words, sentence.tags
    first = cue + 1
    if first == len(words) or (cue and words[cue - 1] in _NO_LESS):
        return
    if (
        cue
        and words[cue - 1] in {"be", "been"}
        and not _ABLE.isdisjoint(words[max(0, cue - _LONGEST) : cue])
    ):
        return  # "Could not have been less helpful": no less means least.
    if words[first] == "than":
        if tags[first + 1 : first + 2] == ["A"]:
            yield Absence(first + 1, first + 1, cue, "less")
    elif tags[first] in {"A", "n"} or words[first].endswith("ing"):
        last = first
        if words[first].endswith("ing") and tags[first + 1 : first + 2] == ["n"]:
            last += 1  # "Less waiting time".
        yield Absence(first, last, cue, "less")


def _group(sentence: Words, first: int, cue: int, kind: Kind) -> Iterator[Absence]:
    """The noun and what stands before it: "the lack of basic courtesy and care"."""
    words, tags = sentence.words, sentence.tags
    last = first - 1
    for index in range(first, min(len(words), first + _LONGEST)):
        tag = tags[index]
        if tag == "&":
            joined = tags[index + 1 : index + 3]
            if joined[:1] != ["n"] or joined[1:] in (["C"], ["H"], ["V"]):
                break
        elif tag not in {"D", "A", "n", "J"} and not words[index].endswith(("ing", "ed")):
            break
        else:
            last = index
    if last >= first:
        yield Absence(first, last, cue, kind)


def _removed(sentence: Words, cue: int) -> Iterator[Absence]:
    """ "Removed the old debris", "the awful smell is gone"."""
    words, tags = sentence.words, sentence.tags
    before = words[max(0, cue - 4) : cue]
    kind: Kind = "removed" if _NOT_DONE.isdisjoint(before) else "kept"
    first = cue + 1
    while words[first : first + 1] and words[first] in {"away", "off", "of"}:
        first += 1
    found = list(_group(sentence, first, cue, kind)) if words[cue] in _REMOVING else []
    if found:
        yield from found
        return
    last = cue - 1
    while last >= 0 and tags[last] in {"C", "H", "J", "N"}:
        last -= 1
    begin = last
    while begin >= 0 and begin > last - _LONGEST and tags[begin] in {"D", "A", "n"}:
        begin -= 1
    if begin < last and words[cue] in _REMOVED:
        yield Absence(begin + 1, last, cue, kind)


def _before(sentence: Words, cue: int) -> Iterator[Absence]:
    """ "The wiring was dangerous before", "before they came the water tasted foul"."""
    words, tags = sentence.words, sentence.tags
    follows = words[cue + 1 : cue + 4]
    by_work = follows[:1] != [] and follows[0] in _WORKERS and not _BEFORE_WORK.isdisjoint(follows)
    ends = cue + 1 == len(words) or tags[cue + 1] in {",", ".", "B"}
    if cue and (by_work or ends) and words[cue - 1] not in _TIMES:
        low = cue
        while low > cue - _LONGEST_STATE and low and tags[low - 1] not in {",", ".", "B", "&"}:
            low -= 1
        state = words[low:cue]
        if not _WAS.isdisjoint(state) and _NO_STATE.isdisjoint(state):
            yield Absence(low, cue - 1, cue, "before")
    elif not cue and by_work:
        first = next(at for at in range(cue + 1, cue + 4) if words[at] in _BEFORE_WORK) + 1
        behind = range(first + 1, min(len(words), first + _LONGEST_STATE))
        high = next((at for at in behind if tags[at] in {".", "B"}), behind.stop)
        if not _WAS.isdisjoint(words[first:high]):
            yield Absence(first, high - 1, cue, "before")
