"""Months and towns by the words around: "in April 2024", "the drive from Austin"."""

import re

from review_analysis.name_matching import lists
from review_analysis.name_matching.context import Surroundings, is_deed, plain

_TRAVEL = re.compile(
    r"(?i)(?:\b(?:c[ao]me|coming|commut|dr[io]v|fl[ei]w|flight|fly|head|here|hours|miles|minutes|mov|new"
    r"|relocat|return|travel|trip|visit|way)\w*|-\d+)"
    r"(?: (?:all|away|back|down|drive|here|in|out|over|the|up|way)){0,4}"
    r"(?: from \w+)? (?:from|to) $"
)
_GIVEN = lists.GIVEN | {"because"}  # "A quote from Austin", "because of Austin".
_WENT = re.compile(r"(?i)\b(?:gone?|going|went|trips?|visits?)(?: back| down| over| up)? to $")
_FOR_A_WHILE = re.compile(
    r" (?:for (?:the|a|our|my|his|her)|last|next|this|every|in|on (?:vacation|business))\b"
)
_DATED_BEFORE = re.compile(r"(?:\d|\d(?:st|nd|rd|th)(?: of)?|\b[Mm]id -)\s*$")
_DATED_AFTER = re.compile(
    r"\s*,?\s*(?:\d{4}|['\u2019]\d\d|\d{1,2}(?:st|nd|rd|th)?\b)"
    r"|\s+(?:of )?(?:last|this|next) year\b"
    r"|\s+(?:is|was) (?:when|(?:an?|the|their) (?:\w+ ){0,2}(?:season|time))\b"
)


def is_dated(around: Surroundings) -> bool:
    """Whether it belongs to a date: "April 2024", "3rd of April"."""
    return bool(_DATED_AFTER.match(around.after) or _DATED_BEFORE.search(around.before))


def is_when(around: Surroundings) -> bool:
    """Whether it tells a time: "ready by April"; but "seen by April"."""
    if around.next in {"till", "until"} or around.previous in {"it's", "its"}:
        return True
    if around.previous in {"for", "to"}:
        return bool(lists.SCHEDULED.intersection(around.preceding[-4:]))
    if around.previous == "by":
        done = next(iter(around.preceding[-2:-1]), "")
        return done in lists.SCHEDULED or not done.endswith(("ed", "ne", "en"))
    return around.previous in lists.MONTH_BEFORE and "because" not in around.preceding[-2:-1]


def is_among_months(around: Surroundings) -> bool:
    """Whether other months stand beside: "from April to June"."""
    if {"know", *lists.CHOICES}.intersection(around.preceding[-3:]):
        return False
    others = lists.MONTH_NAMES - {around.name}
    beside = re.search(r"(\w+),\s*$", around.before), re.match(r",\s*(\w+)", around.after)
    if any(word and plain(word[1]) in others for word in beside):
        return True
    is_joined = around.previous in {"and", "or", "&"}
    is_span = around.previous in {"by", "from", "for", "to"}
    if is_joined or is_span or around.next in {"and", "or", "to", "&", "through"}:
        words = around.preceding[-2:] if is_joined else around.preceding
        return bool({*words, *around.following[:2]} & others)
    return False


def is_weather(around: Surroundings) -> bool:
    """Whether the month is a season: "April showers", "April was a cold month"."""
    if around.next in {"was", "is", "had", "has"}:
        return bool(lists.WEATHER.intersection(around.following[:6]))
    return around.next in lists.WEATHER


def is_place(around: Surroundings) -> bool:
    """Whether it is a town: "Austin, TX"; but "kind words from Austin"."""
    if around.previous in lists.PLACE_BEFORE or re.match(r",\s*[A-Z]{2}\b", around.after):
        return True
    if around.previous in {"from", "to"} and (
        _TRAVEL.search(around.before)
        or (_WENT.search(around.before) and _FOR_A_WHILE.match(around.after))
    ):
        return True
    if around.previous == "from":
        return not lists.ORIGIN_BEFORE.isdisjoint(around.preceding[-2:-1])
    if around.previous != "of" or is_deed(around.next):
        return False
    return _GIVEN.isdisjoint(around.preceding[-2:])
