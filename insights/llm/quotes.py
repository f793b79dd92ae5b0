"""Find the quotes of a language model in a review, whatever became of spaces and marks."""

from collections.abc import Mapping

LEAST_WORDS = 3
_MARKS: Mapping[str, str] = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032`\u00b4", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    "\u2026": "...",
}
_EDGES = " \"'.-,"


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Where whole words of a text are the quote; None, also for fewer than three words."""
    wanted = _folded(quote)[0].strip(_EDGES)
    if len(wanted.split()) < LEAST_WORDS:
        return None
    folded, places = _folded(text)
    start = folded.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        around = folded[start - 1 : start] + folded[end : end + 1]
        if not any(each.isalnum() for each in around):
            return places[start], places[end - 1] + 1
        start = folded.find(wanted, start + 1)
    return None


def _folded(text: str) -> tuple[str, list[int]]:
    """A text without differences of case, spaces and marks, and the place of each character."""
    folded: list[str] = []
    places: list[int] = []
    for place, written in enumerate(text):
        if written.isspace():
            if folded[-1:] == [" "]:
                continue
            plain = " "
        else:
            plain = _MARKS.get(written, written).casefold()
        folded += plain
        places += [place] * len(plain)
    return "".join(folded), places
