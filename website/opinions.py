"""The best-evidenced praise and blame, each with words of a review."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import Any

from insights.aggregate import STRONG
from insights.documents import evidence
from insights.prose.quotable import is_quotable, proper_words
from insights.prose.wholeness import is_whole
from insights.statistics import LABELS, wilson
from review_analysis.segments import Source, sentences
from reviews.selectors import reviews_of

Row = dict[str, Any]

LEAST_MENTIONS = 5  # Fewer reviews of an aspect say little about it.
LEAST_BLAMES = 3
SHOWN_OPINIONS = 3
READ_FOR_WORDS = 20  # Entries that are looked at for words to quote.
QUOTED_LENGTHS = range(20, 161)  # Characters.


@dataclass(frozen=True, slots=True)
class Opinion:
    """The judgement of many reviews on an aspect, with one's words."""

    id: str
    label: str
    side: str  # `positive` or `negative`.
    count: int  # Reviews of this side.
    mentions: int
    words: str  # A whole sentence; empty where none can be quoted.
    review_id: str  # The review that has it.


@dataclass(frozen=True, slots=True)
class Opinions:
    praise: list[Opinion]
    blame: list[Opinion]


_known: tuple[object, Opinions] = (None, Opinions([], []))  # Of the document that was read last.


def opinions(members: Row, document: bytes) -> Opinions:
    """The best-evidenced praise and blame of the insights in `document`.

    Praise by the number of reviews, as the summary has it; blame by the lower end of the interval
    in which its share lies with 95 % certainty, so that many reviews weigh more than few.
    """
    global _known  # noqa: PLW0603  (replaced as a whole, so that a reader needs no lock)
    held, found = _known
    if held is not document:
        aspects = [row for row in members["aspects"] if row["mention_count"] >= LEAST_MENTIONS]
        praised = [row for row in aspects if row["positive_pct"] >= STRONG]
        blamed = [row for row in aspects if row["negative_count"] >= LEAST_BLAMES]
        praised.sort(key=itemgetter("positive_count"), reverse=True)
        blamed.sort(key=_share_of_blame, reverse=True)
        quoted: set[str] = set()
        found = Opinions(
            [_opinion(aspect, "positive", document, quoted) for aspect in praised[:SHOWN_OPINIONS]],
            [_opinion(aspect, "negative", document, quoted) for aspect in blamed[:SHOWN_OPINIONS]],
        )
        _known = (document, found)
    return found


def _share_of_blame(aspect: Row) -> float:
    return wilson(aspect["negative_count"], aspect["mention_count"])[0]


def _opinion(aspect: Row, side: str, document: bytes, quoted: set[str]) -> Opinion:
    """An opinion with words of a review that is not in `quoted`; adds that review there."""
    entries = islice(evidence(document, "aspects", aspect["id"], side), READ_FOR_WORDS)
    # First reviews that are of this side as a whole: in others the words are an aside.
    phrases = {
        ulid: phrase
        for ulid, entry in sorted(entries, key=lambda row: row[1]["sentiment"]["label"] != side)
        if ulid not in quoted and (phrase := _phrase(entry, aspect["id"]))
    }
    quotable = (
        (review.ulid, sentence)
        for review in reviews_of(list(phrases))
        if (sentence := _sentence(review.text, phrases[review.ulid]))
    )
    review_id, words = next(quotable, ("", ""))
    quoted.add(review_id)
    return Opinion(
        aspect["id"],
        aspect["label"],
        side,
        aspect[f"{side}_count"],
        aspect["mention_count"],
        words,
        review_id,
    )


def _phrase(entry: Row, aspect_id: str) -> str:
    said = next(each for each in entry["aspects"] if each["id"] == aspect_id)
    return str(said["phrase"] or "")


def _sentence(text: str, phrase: str) -> str:
    """The sentence of a review that holds the phrase; empty if it cannot be quoted alone."""
    for words in sentences(Source(text)):
        sentence = text[words.start : words.end]
        if phrase in sentence and len(sentence) in QUOTED_LENGTHS:
            # The page shows whole reviews, so that all names may be told.
            names = proper_words(sentence)
            return sentence if is_quotable(sentence, names) and is_whole(sentence) else ""
    return ""


def counts_by_label(aspect: Mapping[str, Any]) -> list[tuple[str, int]]:
    """How many reviews have each opinion of an aspect, the best first."""
    return [(label, aspect[f"{label}_count"]) for label in LABELS]
