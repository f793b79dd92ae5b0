"""Tell apart what a clause is about: this business, others, or the customer.

What is told of an insurer, of another firm or of the customer's husband is neither a problem that
this business made nor an aspect of it.
"""

from collections.abc import Sequence

from review_analysis import competitors
from review_analysis.features import Weighed
from review_analysis.segments import Words, subject_of
from review_analysis.weak_terms import Spot
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

CUSTOMER = frozenset({"i", "we"})  # As a subject.
_PEOPLE = frozenset("he she they".split())
# Other people and firms that reviews tell of.
_OUTSIDERS = _WORDS["outsiders"]
_OTHER = frozenset("other another others previous last former old first second".split())
_TRADES = _WORDS["trades"]
# Others whom no review of a business means by it.
_OTHER_PARTIES = _WORDS["other_parties"]
_COMPETITORS = _WORDS["competitors"]
_KIN = _WORDS["kin"]
# Acts of kin as customers, or done to them: "my wife got a quote", "my son was treated".
_RECEIVING = _WORDS["receiving"]
_INTENDING = frozenset("will 'll would could can cannot can't couldn't won't".split())
_BESIDE_VERBS = frozenset("H N J".split())
# Acts of a business that its customer does as well.
_ACTS = _WORDS["acts"]
_ACCUSING = frozenset("accuse accused accusing call called calling label labeled labelled".split())
_ACCUSED = frozenset("me us him her my our husband wife son daughter customers".split())
_CONDUCT = _WORDS["conduct"]
_REQUESTS = _WORDS["requests"]
_MENDING = frozenset("fixed repaired replaced installed ended built redid patched".split())
_COUNTS = frozenset("two three four five six several few many multiple various other".split())
_ONE_OF_THEM = frozenset("one first second third fourth another others next".split())
_NOUN_PHRASE = frozenset("DAnJ#")
_VERBAL = frozenset("CHV")
_BETWEEN_PARTS = frozenset({",", ".", "B", "W"})
_ARTICLES = frozenset("a an the this these my our his her their".split())
_LONGEST = 5  # In words.
_OF_CUSTOMER = (["my", "own"], ["our", "own"], ["your", "own"])  # "Bring your own lunch".
_MEETING = frozenset("with at saw see called hired tried had used visited".split())
_NOMINATIVE = frozenset("i we he she they".split())
_COMPARING = frozenset("than unlike compared".split())


def is_outsider(words: Words, part: range) -> bool:
    """Whether a noun phrase means somebody else than this business."""
    for index in part:
        word = words.words[index]
        if word in _OUTSIDERS or word in {"others", "most"}:
            return True
        if word in _OTHER:
            nouns = words.words[index + 1 : index + 4]
            if not _TRADES.isdisjoint(nouns):
                return "they" not in words.words[part.start : index] and "sent" not in nouns
    return False


def is_trade(noun: str) -> bool:
    """Whether a noun means businesses or people of a trade: "parks", "surgeons"."""
    return noun in _TRADES or noun in _COMPETITORS


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


def is_problem_of_others(sentences: Sequence[Weighed], spot: Spot) -> bool:
    """Whether the words there are told of others, by subject, by origin or by comparison."""
    words, first, last = sentences[spot.sentence].words, spot.first, spot.last
    if any(low <= first <= high for low, high in competitors.spans(words)):
        return True
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
    if _goes_on(words, subject) and _meets_other(words, low):
        return True
    # "Another firm came. They never called back." goes on about that one.
    if not spot.sentence or not _goes_on(words, subject):
        return False
    before = sentences[spot.sentence - 1].words
    end = len(before) - 1
    return is_outsider(before, subject_of(before, end, end))


def _goes_on(words: Words, subject: range) -> bool:
    return len(subject) == 1 and words.words[subject[0]] in _PEOPLE


def _meets_other(words: Words, end: int) -> bool:
    """Whether the clause before is of an outsider met: "I saw another doctor and he"."""
    if not end:
        return False
    begin = words.clause_bounds(end - 1)[0]
    meeting = next((at for at in range(begin, end) if words.words[at] in _MEETING), end)
    return is_outsider(words, range(meeting, end))


def is_aspect_of_others(sentences: Sequence[Weighed], spot: Spot, *, about_people: bool) -> bool:
    """Whether the words there tell what others did or are like.

    An aspect that is `about_people` is not found in what a competitor or the customer's family
    does; "other shops charge double" tells of the price here.
    """
    words, first, last = sentences[spot.sentence].words, spot.first, spot.last
    if words.words[max(0, first - 2) : first] in _OF_CUSTOMER or _is_accusation(words, first):
        return True
    low, high = words.clause_bounds(first)
    subject = subject_of(words, first, last) or _noun_phrase(words, low, first)
    if about_people and _is_done_by_customer(words, subject, first, last):
        return True
    if not subject or first < subject.stop or _goes_elsewhere(words, subject.stop, first):
        return False
    if not _COMPARING.isdisjoint(words.words[low : high + 1]):
        return False
    is_of_people = about_people and (
        _is_competitor(words, subject)
        or _is_done_by_family(words, subject, first, last)
        or _is_customer(words, subject, first)
    )
    return (
        is_of_people
        or _is_done_by_other_party(words, subject)
        or _is_mended_by_family(words, subject)
        or _is_one_of_competitors(sentences, spot, subject)
    )


def _noun_phrase(words: Words, low: int, first: int) -> range:
    """The subject of a verb that no list knows: "our insurance company denied it"."""
    while low < first and words.tags[low] in {"&", "B", ",", "W"}:
        low += 1
    is_noun_phrase = _NOUN_PHRASE.issuperset(words.tags[low:first]) and first - low <= _LONGEST
    return range(low, first if is_noun_phrase else low)


def _goes_elsewhere(words: Words, verb: int, first: int) -> bool:
    """Whether a new subject may stand before the word at `first`: "when two doctors
    had given up, Dr. Owens found it".
    """
    between = range(verb, first)
    return any(words.tags[at] == "," or words.words[at] in _NOMINATIVE for at in between)


def _is_done_by_other_party(words: Words, subject: range) -> bool:
    """Whether an insurer or a storm does it, unlike "insurance was billed"."""
    said = words.words[subject.start : subject.stop]
    is_other = said[-1] in _OTHER_PARTIES or "insurance" in said[-2:]
    return is_other and _OF_THIS.isdisjoint(said) and not _is_passive(words, subject.stop)


_OF_THIS = frozenset("this these of with for".split())
_OTHER_FIRM = frozenset("other another others previous former opposing competing".split())


def _is_passive(words: Words, verb: int) -> bool:
    return (
        verb < len(words)
        and words.tags[verb] in {"C", "H"}
        and any(word.endswith("ed") for word in words.words[verb + 1 : verb + 4])
    )


def _is_competitor(words: Words, subject: range) -> bool:
    said = words.words[subject.start : subject.stop]
    is_other = _OF_THIS.isdisjoint(said) and not _OTHER_FIRM.isdisjoint(said)
    return is_other and said[-1] in _COMPETITORS


def _is_one_of_competitors(sentences: Sequence[Weighed], spot: Spot, subject: range) -> bool:
    """Whether the subject is one of several firms.

    "Three roofers came to look. One never called back".
    """
    words = sentences[spot.sentence].words.words
    if len(subject) > 2 or words[subject[-1]] not in _ONE_OF_THEM:
        return False
    before = sentences[spot.sentence - 1].words.words if spot.sentence else []
    return _names_several_competitors(words[: subject.start]) or _names_several_competitors(before)


def _names_several_competitors(words: list[str]) -> bool:
    return any(
        word in _COMPETITORS
        and word.endswith("s")
        and not _COUNTS.isdisjoint(words[max(0, at - 3) : at])
        for at, word in enumerate(words)
    )


def _is_mended_by_family(words: Words, subject: range) -> bool:
    """Whether the family mended it: "My husband ended up fixing it with a $20 part"."""
    is_family = words.words[subject.stop - 1] in _KIN
    return is_family and words.words[subject.stop] in _MENDING


def _is_done_by_family(words: Words, subject: range, first: int, last: int) -> bool:
    """Whether the family did it.

    "My nephew was on his phone", "my dad taught me", unlike "my son was treated well".
    """
    if words.words[subject.stop - 1] not in _KIN:
        return False
    verb = subject.stop
    if first <= verb <= last:
        return words.words[verb] not in _RECEIVING
    return not {"his", "her", "their"}.isdisjoint(words.words[first : last + 1])


def _is_done_by_customer(words: Words, subject: range, first: int, last: int) -> bool:
    """Whether the customer did it.

    "I hung up", "I didn't know what to do", "I called to explain it", unlike "I asked them to
    explain it".
    """
    verb = first
    while verb <= last and words.tags[verb] in _BESIDE_VERBS:
        verb += 1
    if verb > last:
        return False
    if words.words[verb] == "wait":  # "I will wait for it", unlike "we had to wait".
        said = words.words[max(0, verb - 3) : verb]
        return not (CUSTOMER.isdisjoint(said) or _INTENDING.isdisjoint(said))
    if words.words[verb] not in _ACTS:
        return False
    if words.words[max(0, verb - 1)] == "to":
        between = words.words[subject.stop : verb]
        is_customer = bool(subject) and words.words[subject.stop - 1] in CUSTOMER
        return is_customer and _REQUESTS.isdisjoint(between)
    before = verb - 1
    while before >= max(0, first - _LONGEST) and words.tags[before] in _BESIDE_VERBS:
        before -= 1
    return before >= 0 and words.words[before] in CUSTOMER


def _is_accusation(words: Words, first: int) -> bool:
    """Whether the customer is accused of it.

    "He called me a liar", "accused us of lying", "my son was called a thief".
    """
    begin = max(words.clause_bounds(first)[0], first - _LONGEST)
    before = [word for word in words.words[begin:first] if word != '"']
    for at, word in enumerate(before):
        if word in _ACCUSING:
            is_passive = begin + at > 0 and words.tags[begin + at - 1] == "C"
            is_called = {"of", "as", "a", "an", *_ACCUSED}.issuperset(before[at + 1 :])
            return is_called and (is_passive or not _ACCUSED.isdisjoint(before[at + 1 :]))
    return False


def _is_customer(words: Words, subject: range, first: int) -> bool:
    """Whether the words describe the customer.

    "I'm a woman who knows nothing about cars", "I was patient and polite".
    """
    if words.words[subject.start : subject.stop] not in (["i"], ["we"]):
        return False
    verb = subject.stop
    if words.tags[verb : verb + 1] != ["C"]:
        return False
    if {"A", "J", "&"}.issuperset(words.tags[verb + 1 : first]) and words.words[first] in _CONDUCT:
        return True
    if words.tags[verb + 1 : verb + 2] != ["D"]:
        return False
    is_predicate = words.tags[first] == "n" and first <= verb + 3
    return is_predicate or "who" in words.words[verb:first]
