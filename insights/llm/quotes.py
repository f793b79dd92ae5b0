"""Find the quotes of a language model in a review, whatever became of spaces and marks."""

import re
import unicodedata

LEAST_WORDS = 3
_QUOTATION_MARKS = frozenset(
    "'\"`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u00ab\u00bb"
)
_DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212")
_EDGES = " .-,"


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Where whole words of a text are the quote; None, also for fewer than three words."""
    wanted = _folded(quote)[0].strip(_EDGES)
    if len(wanted.split()) < LEAST_WORDS:
        return None
    folded, places = _folded(text)
    if found := re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", folded):
        stop = places[found.end()] if found.end() < len(places) else len(text)
        return places[found.start()], len(text[:stop].rstrip())
    return None


def _folded(text: str) -> tuple[str, list[int]]:
    """A text without differences of case, accents, spaces and marks, and each character's place."""
    folded: list[str] = []
    places: list[int] = []
    for place, written in enumerate(text):
        if written in _QUOTATION_MARKS:
            continue
        plain = " " if written.isspace() else "-" if written in _DASHES else written
        if plain == "-" and folded[-1:] == [" "]:  # "Great - really" is "great—really".
            folded.pop()
            places.pop()
        if plain in {" ", "-"} and folded[-1:] in ([plain], ["-"]):
            continue
        plain = unicodedata.normalize("NFKD", plain).casefold()
        base = [each for each in plain if not unicodedata.combining(each)]
        folded += base
        places += [place] * len(base)
    return "".join(folded), places
