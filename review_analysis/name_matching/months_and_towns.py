"""Months and towns by the words around: "in April 2024", "the drive from Austin"."""

import re

from review_analysis.name_matching.context import Surroundings, is_deed, plain
from review_analysis.name_matching.nicknames import GIVEN_NAMES
from review_analysis.name_matching.word_senses import PLACES
from review_analysis.name_matching.words import (
    CHOICES,
    GIVEN,
    MONTH_BEFORE,
    MONTH_NAMES,
    NOT_SURNAMES,
    ORIGIN_BEFORE,
    PLACE_BEFORE,
    SCHEDULED,
    STATES,
    WEATHER,
)

_TRAVEL = re.compile(
    r"(?i)(?:\b(?:c[ao]me|coming|commut|dr[io]v|fl[ei]w|flight|fly|head|here|hours|miles|minutes|mov|new"
    r"|relocat|return|travel|trip|visit|way)\w*|-\d+)"
    r"(?: (?:all|away|back|down|drive|here|in|out|over|the|up|way)){0,4}"
    r"(?: from \w+)? (?:from|to) $"
)
_GIVEN = GIVEN | {"because"}  # "A quote from Austin", "because of Austin".
_CITIES = (
    r"(?:NYC?|LA|DC|SF|Vegas|New (?:York|Orleans)|Los Angeles|San [A-Z]\w+|Santa [A-Z]\w+|Las Vegas"
    r"|Barcelona|Chicago|Philly|Philadelphia|Tampa|Miami|Atlanta|Seattle|Portland|Tokyo|Rome|Berlin"
    rf"|{'|'.join(sorted(map(str.title, STATES - PLACES)))})"
)
_AMONG_PLACES = re.compile(rf"\b{_CITIES}(?:,|,? (?:and|&|n?or|to|vs\.?)) $")
_BESIDE_PLACES = re.compile(rf"(?:,|,? (?:and|&|n?or)) {_CITIES}\b")
_AFTER_A_TOWN = re.compile(r"\b([A-Z]\w+), $")
_WENT = re.compile(r"(?i)\b(?:gone?|going|went|trips?|visits?)(?: back| down| over| up)? to $")
_CITY = re.compile(r"(?i)\b(?:cit(?:y|ies)|places?|towns?) (?:like|of|such as) $")
_OF_A_CITY = re.compile(
    r" (?:airport|area|cent(?:er|re)|harbou?r|hotels?|station|subway|tube|(?:has|had) to offer"
    r"|(?:is|was) (?:an?|such an?|the) (?:[\w-]+ ){0,2}(?:city|state|town))\b"
)
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
    """ "April 2024", "3rd of April", "April of last year", "April is a slow time"."""
    return bool(_DATED_AFTER.match(around.after) or _DATED_BEFORE.search(around.before))


def is_when(around: Surroundings) -> bool:
    """ "In April", "ready by April", "planned for April", "April until now"; "seen by April"."""
    if around.next in {"till", "until"}:
        return True
    if around.previous in {"for", "to"}:
        return bool(SCHEDULED.intersection(around.preceding[-4:]))
    if around.previous in {"it's", "its"}:
        return around.next != "who"
    if around.previous == "by":
        done = next(iter(around.preceding[-2:-1]), "")
        return done in SCHEDULED or not done.endswith(("ed", "ne", "en"))
    return around.previous in MONTH_BEFORE and "because" not in around.preceding[-2:-1]


def is_among_months(around: Surroundings) -> bool:
    """ "April, May and June", "from April to June"; but "we know April and May"."""
    if {"know", *CHOICES}.intersection(around.preceding[-3:]):
        return False
    others = MONTH_NAMES - {around.name}
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
    """ "April showers", "April was a cold month"."""
    if around.next in {"was", "is", "had", "has"}:
        return bool(WEATHER.intersection(around.following[:6]))
    return around.next in WEATHER


def is_place(around: Surroundings) -> bool:
    """ "In Austin", "Austin, TX", "flew in from Austin", "are from Austin"; not "kind words from
    Austin".
    """
    if _is_beside_a_place(around):
        return True
    if around.previous in PLACE_BEFORE or re.match(r",\s*[A-Z]{2}\b", around.after):
        return True
    if around.previous in {"from", "to"} and (
        _TRAVEL.search(around.before)
        or (_WENT.search(around.before) and _FOR_A_WHILE.match(around.after))
    ):
        return True
    if around.previous == "from":
        return not ORIGIN_BEFORE.isdisjoint(around.preceding[-2:-1])
    if around.previous != "of" or is_deed(around.next):
        return False
    return _GIVEN.isdisjoint(around.preceding[-2:])


def _is_beside_a_place(around: Surroundings) -> bool:
    """ "NYC or London", "Monticello, Virginia"; but "Mark, Virginia and Rose"."""
    if _AMONG_PLACES.search(around.before) or _BESIDE_PLACES.match(around.after):
        return True
    if _CITY.search(around.before) or _OF_A_CITY.match(around.after):
        return True
    is_country = around.name in STATES | {"holland", "india", "ireland", "kenya"}
    town = _AFTER_A_TOWN.search(around.before) if is_country else None
    return town is not None and plain(town[1]) not in GIVEN_NAMES | NOT_SURNAMES
