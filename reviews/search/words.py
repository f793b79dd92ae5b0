"""The words of the visible reviews, which SQLite keeps beside its indexes of their texts.

A needle of letters and digits is in a text exactly when one of the text's words contains it. So the
reviews of a few words are the matches, and to find those words takes 15 µs by trigrams, 60 µs for a
needle without. Triggers keep the words as they keep the indexes; `reviews_word` tells how many
visible reviews have each.
"""

import re
from typing import NamedTuple

from django.conf import settings

from core.db.raw import fetch

# As the index of words splits a text: every character beyond ASCII belongs to a word.
WORD = re.compile(r"[^\x00-/:-`{-\x7f]+")
# The parts of texts that are listed hold the needle, and may be more than a word.
MOST_PARTS = 100
# Each further word of a question to the index makes every match take a little longer.
MOST_WORDS = 32
# FTS5 cuts what is longer than 32,768 bytes.
LONGEST_WORD = 8_000
BY_TRIGRAMS = """
    SELECT w.word, w.reviews
    FROM reviews_word_trigrams t CROSS JOIN reviews_word w ON w.id = t.rowid
    WHERE t.reviews_word_trigrams MATCH '"' || %s || '"' LIMIT %s
"""
ONE_BY_ONE = "SELECT word, reviews FROM reviews_word WHERE instr(word, %s) > 0 LIMIT %s"


class Words(NamedTuple):
    """What the words of the reviews tell of a needle."""

    found: tuple[str, ...] | None  # Those that contain it; None when they are of no use.
    matched: int | None  # Reviews with the needle, or a number beyond the cap; None: to be counted.


def is_inside_words(needle: str) -> bool:
    """Whether a text that contains the needle has a word that does."""
    return WORD.fullmatch(needle) is not None


def words_with(needle: str, *, has_trigrams: bool) -> Words:
    """The words that contain the needle, which must be inside words."""
    parts = fetch(BY_TRIGRAMS if has_trigrams else ONE_BY_ONE, [needle, MOST_PARTS + 1])
    most = max((reviews for _, reviews in parts), default=0)
    matched = most if len(parts) < 2 or most > settings.SEARCH_COUNT_CAP else None
    if len(parts) > MOST_PARTS:
        return Words(None, matched)
    found = {word for part, _ in parts for word in WORD.findall(part) if needle in word}
    if len(found) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in found):
        return Words(None, matched)
    return Words(tuple(sorted(found)), matched)
