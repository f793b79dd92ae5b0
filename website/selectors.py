"""Plain data of the pages for visitors: contact, praise and blame."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from insights.aggregate import STRONG
from insights.documents import evidence
from insights.prose.quotable import is_quotable, is_whole, proper_words
from insights.statistics import LABELS, wilson
from review_analysis.segments import Source, sentences
from reviews.models import Business
from reviews.profiles import Profile, profiles, review_links
from reviews.selectors import reviews_of
from reviews.validators import DAYS

Row = dict[str, Any]

# --- The business ---------------------------------------------------------------------------------

# Where the postal code stands behind the town and the region.
_TOWN_FIRST = frozenset({"US", "CA", "AU", "GB", "IE", "NZ", "IN"})
_EXTENSION = re.compile(r"(?:;ext=|ext\.?|x|#)\s*(\d{1,6})\s*$", re.IGNORECASE)
_NOT_DIALLED = re.compile(r"[\s()./\u2010-\u2015-]+")
_DIALLED = re.compile(r"\+?\d{3,15}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Opening:
    """Days with the same hours, like `Monday to Friday` and `07:30 to 18:00`."""

    days: str
    hours: str


@dataclass(frozen=True, slots=True)
class Contact:
    """How and when a business is reached; empty where nothing is stated."""

    address: list[str]  # The lines of the address.
    phone: str
    phone_link: str
    email: str
    openings: list[Opening]
    profiles: list[Profile]
    review_links: list[Profile]

    @property
    def is_stated(self) -> bool:
        return bool(self.address or self.phone or self.email or self.openings or self.profiles)


def contact(business: Business) -> Contact:
    return Contact(
        address=address_lines(business),
        phone=business.phone,
        phone_link=phone_link(business.phone),
        email=business.email,
        openings=openings(business.hours),
        profiles=profiles(business),
        review_links=review_links(business),
    )


def address_lines(business: Business) -> list[str]:
    """The address as letters of its country have it."""
    city, region, code = business.city, business.region, business.postal_code
    if not business.country or business.country in _TOWN_FIRST:
        town = " ".join(filter(None, [", ".join(filter(None, [city, region])), code]))
    else:
        town = ", ".join(filter(None, [" ".join(filter(None, [code, city])), region]))
    return list(filter(None, [business.street, town]))


def phone_link(phone: str) -> str:
    """The number as a `tel:` address (RFC 3966); empty where it holds more than a number."""
    extension = _EXTENSION.search(phone)
    number = phone[: extension.start()] if extension else phone
    dialled = _NOT_DIALLED.sub("", number.replace("(0)", "") if "+" in number else number)
    if not _DIALLED.fullmatch(dialled):
        return ""
    return f"tel:{dialled}" + (f";ext={extension[1]}" if extension else "")


def openings(hours: object) -> list[Opening]:
    """The week, days in a row with the same hours as one; nothing where no hours are stated."""
    entries = hours if isinstance(hours, list) else []
    of_day = {day: _hours_of(day, entries) for day in DAYS}
    if not any(of_day.values()):
        return []
    rows = []
    for text, run in groupby(DAYS, key=of_day.__getitem__):
        days = [day.capitalize() for day in run]
        name = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
        rows.append(Opening(name, text or "closed"))
    return rows


def _hours_of(day: str, entries: Sequence[object]) -> str:
    spans = [
        (str(entry.get("opens", "")), str(entry.get("closes", "")))
        for entry in entries
        if isinstance(entry, dict) and entry.get("day") == day
    ]
    return ", ".join(f"{opens} to {closes}" for opens, closes in sorted(spans))


# --- Praise and blame -----------------------------------------------------------------------------

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
