"""Where somebody else's business is spoken of, whose faults and merits are not this one's."""

from review_analysis.segments import Words

_OTHERS = frozenset("other another previous last former old competing".split())
BUSINESSES = frozenset(
    "company companies contractor contractors plumber plumbers electrician electricians roofer"
    " roofers firm firms shop shops outfit outfits crew crews dentist dentists doctor doctors"
    " lawyer lawyers attorney attorneys clinic clinics office offices vendor vendors mechanic"
    " mechanics garage garages provider providers guys guy place places brand brands technician"
    " salon salons hospital hospitals hairdresser stylist vet vets movers restaurant restaurants"
    " home homes facility facilities dealer dealers dealership chain store stores practice hotel"
    " hotels chains corporations franchises".split()
)
_COMPETITORS = frozenset("competitor competitors competition".split())
_MARKS = _OTHERS | _COMPETITORS | frozenset("after been switched moved steer stay avoid".split())
_ADVICE = (["steer", "clear", "of"], ["stay", "away", "from"], ["stay", "clear", "of"], ["avoid"])
_LARGE = frozenset("big bigger large larger national corporate franchise chain cheap".split())
_COUNTS = frozenset("two three four five several couple of".split())
_WITH = frozenset({"at", "with", "by"})  # "Billing was a nightmare at my old dentist".
_COMPARING = frozenset("than unlike like as compared to from for with".split())
_WHO = frozenset({"who", "that", "which", "where"})
_LEFT = (["been", "to"], ["switched", "from"], ["moved", "from"])


def spans(sentence: Words) -> list[tuple[int, int]]:
    """First and last word, inclusive, of what is said of them."""
    if _MARKS.isdisjoint(sentence.words):
        return []
    found = (_avoided(sentence, at) or _span(sentence, at) for at in range(len(sentence)))
    return [span for span in found if span]


def _span(sentence: Words, index: int) -> tuple[int, int] | None:
    words, tags = sentence.words, sentence.tags
    word = words[index]
    if word not in _OTHERS and word not in _COMPETITORS:
        return _of_those_left(sentence, index) if word in BUSINESSES else None
    head = index
    if word in _OTHERS:
        head = next((at for at in range(index + 1, index + 3) if _is_business(words, at)), 0)
        if not head:
            return None
    low, high = sentence.clause_bounds(index)
    begin = index
    while begin > low and (tags[begin - 1] in {"D", "#", "J"} or words[begin - 1] in _COUNTS):
        begin -= 1
    before = words[begin - 1] if begin > low else ""
    if before in _WITH and _COMPARING.isdisjoint(words[: begin - 1]):
        return low, high
    if before in _WHO:  # "A faucet that another company installed backwards".
        return begin, _end(sentence, begin)
    if not before or tags[begin - 1] in {"&", "B", ","}:  # It is the subject.
        return (begin, high) if _COMPARING.isdisjoint(words[:begin]) else None
    # "They sent another technician who" tells of this one.
    return None if "they" in words[low:begin] else _relative(sentence, head)


def _avoided(sentence: Words, begin: int) -> tuple[int, int] | None:
    """Span of advice against other businesses.

    "Steer clear of the big companies", unlike "steer clear of this company".
    """
    words = sentence.words
    if not any(words[begin : begin + len(advice)] == advice for advice in _ADVICE):
        return None
    for at in range(begin + 1, min(len(words), begin + 7)):
        if words[at] in _OTHERS | _LARGE and any(_is_business(words, at + n) for n in (1, 2)):
            return begin, max(_end(sentence, begin), at + 1)
    return None


def _is_business(words: list[str], index: int) -> bool:
    return index < len(words) and words[index] in BUSINESSES


def _of_those_left(sentence: Words, head: int) -> tuple[int, int] | None:
    """Span about a business that the customer left.

    "We switched from a company that was late", "after three lawyers who never called".
    """
    words = sentence.words
    left = any(words[at : at + 2] in _LEFT for at in range(max(0, head - 5), head))
    return _relative(sentence, head) if left or words[0] == "after" else None


def _relative(sentence: Words, head: int) -> tuple[int, int] | None:
    """Relative clause about the word at `head`."""
    words = sentence.words
    begin = head + 2 if words[head + 1 : head + 2] == [","] else head + 1
    is_relative = words[begin : begin + 1] and words[begin] in _WHO
    return (begin, _end(sentence, begin)) if is_relative else None


def _end(sentence: Words, begin: int) -> int:
    """The last word before a comma or an "and", or of the clause."""
    high = sentence.clause_bounds(begin)[1]
    stops = (at - 1 for at in range(begin, high + 1) if sentence.tags[at] in {",", "&"})
    return next(stops, high)
