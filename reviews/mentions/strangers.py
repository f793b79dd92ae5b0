"""Pure: who else may bear a technician's name: other people, firms, streets, the writer."""

import re
from collections.abc import Sequence

from reviews.mentions.surroundings import APOSTROPHES, HYPHENS, STOPS, Surroundings, plain
from reviews.mentions.words import (
    ADDRESS_ENDS,
    CALLERS,
    ESTABLISHMENTS,
    GIVEN_NAMES,
    INTRODUCERS,
    KIN_TITLES,
    NOT_SURNAMES,
    PARTICLES,
    RELATIVES,
    SAINTS,
    WORDS,
)

_NEGATION = re.compile(r" ?['`\u2018\u2019\u00b4] ?[tT]\b| t\b")  # "Don't", and badly typed.
_NEW_LINE = re.compile(r"[^\S\n]*\n")
_OWNED = re.compile(r"['\u2019]s?\s+([^\W\d_]\w+)")
_KIN = "|".join(sorted(RELATIVES))
_KIN_BEFORE = re.compile(rf"(?i)\b(?:my|our)\s+(?:\w+\s+)?(?:{_KIN})(?:-in-law)?(,|\s-|\s\()?\s*$")
_ASIDE_ENDS = re.compile(r"\s*[,)-]|\s+and (?:I|me)\b")
_KIN_AFTER = re.compile(rf"(?i)\s*[,(]\s*(?:my|our)\s+(?:\w+\s+)?(?:{_KIN})\b")
_INTRODUCTION = re.compile(r"(?i)(?:\bmy name(?: is|'s)|\bi am|\bi['\u2019]?m|^\s*this is)\s+$")
_CLOSING = re.compile(
    rf"(?i)(?:[{STOPS}][\"\u201d)]*\s*[-\u2013\u2014~]+\s*"
    r"|(?:\S[ \t]+[^\n:]*[^\n:\s]|[^\n]*[.!?,])[ \t]*\n\s*[-\u2013\u2014~]*\s*"
    r"|\b(?:sincerely|regards|signed|best wishes|yours truly|respectfully),?\s*)$"
)
_PREFIXES = SAINTS | KIN_TITLES


def is_a_stranger(text: str, start: int, end: int, surname: Sequence[str]) -> bool:
    """Whether the name at `text[start:end]` is that of somebody or something else.

    `surname` as in `namesakes.is_that_person`.
    """
    if _is_part_of_something(text, start, end):
        return True
    around = Surroundings(text, start, end)
    return (
        around.previous in _PREFIXES
        or _is_somebody_else(around, surname)
        or _is_a_firm_or_place(around)
        or _is_on_the_writers_side(around)
    )


def _is_part_of_something(text: str, start: int, end: int) -> bool:
    """Jean-Mark, Mark-Anthony, D'Mark, mark@shop.example, Mark.com, Don't."""
    if _NEGATION.match(text, end):
        return True
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if before and before in "-'@\u2010\u2011\u2019" and text[start - 2 : start - 1].isalpha():
        chunk = re.split(r"\W", text[max(0, start - 30) : start - 1])[-1]
        if before not in HYPHENS or chunk[:1].isupper() or chunk == "mid":
            return chunk.casefold() not in CALLERS
    if after == ".":
        return re.split(r"\W", text[end + 1 : end + 6])[0] in ADDRESS_ENDS
    if after and after in HYPHENS and text[end + 1 : end + 2].isalpha():
        return text[end + 1].isupper() or text[start:end].casefold() in WORDS
    return after == "@"


def _is_somebody_else(around: Surroundings, surname: Sequence[str]) -> bool:
    """Another surname follows, or another given name comes before."""
    if around.is_shouted:
        return False
    is_given = around.previous in GIVEN_NAMES and around.previous_spelling[:1].isupper()
    if is_given or (around.follows_a_name and not around.is_title_case):
        return True
    spelling = around.next_spelling
    if not surname or not spelling or _NEW_LINE.match(around.after):
        return False
    if around.next.removesuffix("'s") == surname[0]:
        return False
    if len(spelling) == 1:
        return spelling.isupper() and not _is_own_initial(around, surname)
    return _is_before_a_capital(around) if around.next in PARTICLES else _is_surname(around)


def _is_before_a_capital(around: Surroundings) -> bool:
    """The "de" of "Mark de Vries", and not that of "Mark de-iced our pipes"."""
    follows = re.match(rf"\s*{re.escape(around.next_spelling)}\s+(\w)", around.after)
    return follows is not None and follows[1].isupper()


def _is_surname(around: Surroundings) -> bool:
    spelling = around.next_spelling
    return (
        spelling[0].isupper()
        and not spelling.isupper()
        and around.next.removesuffix("'s") not in NOT_SURNAMES
        and not around.is_title_case
    )


def _is_own_initial(around: Surroundings, surname: Sequence[str]) -> bool:
    """ "Mark D.", "Mark J. Dunn"; and no initial at all in "Mark I like" and "Mark A+"."""
    initial = around.next_spelling
    if initial == "I" or (initial == "A" and not re.match(r"\s*A\.", around.after)):
        return True
    middle = re.match(rf"\s*\w\.?\s+{re.escape(surname[0])}\b", around.after.casefold())
    return initial.casefold() == surname[0][:1] or middle is not None


def _is_a_firm_or_place(around: Surroundings) -> bool:
    """ "Grant Street", "Mark's Plumbing"; but "Mark's plumbing" is the work of Mark."""
    if around.is_shouted or around.is_title_case:
        return False
    owned = _OWNED.match(around.after)
    if owned is None:
        return around.next in ESTABLISHMENTS and around.next_spelling.istitle()
    return owned[1][0].isupper() and not owned[1].isupper() and plain(owned[1]) not in NOT_SURNAMES


def _is_on_the_writers_side(around: Surroundings) -> bool:
    """ "My husband Mark", "Mark, my son,", "My name is Mark", "Great work!\n- Mark"."""
    before, after = around.before, around.after
    kin = _KIN_BEFORE.search(before)
    if (kin and (not kin[1] or _ASIDE_ENDS.match(after))) or _KIN_AFTER.match(after):
        return True
    if _INTRODUCTION.search(before) and after[:1] not in APOSTROPHES:
        return True
    is_last = around.ends_the_text and around.previous not in INTRODUCERS
    return is_last and _CLOSING.search(before) is not None
