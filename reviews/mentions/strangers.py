"""Pure: who else may bear a technician's name: other people, firms, streets, the writer."""

import re
from collections.abc import Sequence

from reviews.mentions.nicknames import NICKNAMES
from reviews.mentions.surroundings import APOSTROPHES, HYPHENS, STOPS, Surroundings, is_deed, plain
from reviews.mentions.words import (
    ADDRESS_ENDS,
    AIMED,
    CALLERS,
    ESTABLISHMENTS,
    FINITE,
    FORMAL_TITLES,
    FRIENDS,
    GIVEN_NAMES,
    INTRODUCERS,
    KIN_TITLES,
    MODALS,
    NOT_SURNAMES,
    PARTICLES,
    PETS,
    RELATIVES,
    SAINTS,
    STATES,
    STORMS,
    TRADES,
    VERBS,
    WORDS,
)

_JOINTS = HYPHENS | {"'", "\u2019", "@"}
_NEGATION = re.compile(r" ?['`\u2018\u2019\u00b4] ?[tT]\b| t\b")  # "Don't", and badly typed.
_NEW_LINE = re.compile(r"[^\S\n]*\n")
_OWNED = re.compile(r"['\u2019]s?\s+([^\W\d_]\w+)")
_OWNING_NOTHING = re.compile(r"['\u2019]s(?:\s*(?:[.,;!?)]|\Z)|\s+(?:are|is|was|were)\b)")
_IN_STATE = re.compile(r",\s*([^\W\d_]+)")
_IN_TX = re.compile(r" (?:AZ|CA|FL|GA|IL|KY|MI|MN|MO|NC|NJ|NM|NV|NY|OH|SC|TN|TX|UT|VA|WA|WI)\b")
_AND_SONS = re.compile(  # "Mark & Sons", "Mark & Larry's".
    r"\s+&\s+[A-Z]\w+['\u2019]s\b|\s+(?:&|and)\s+(?:Associates|Bros|Brothers|Co|Company|Daughters?|Sons?)\b"
)
_KIN_WORDS = RELATIVES | FRIENDS | PETS
_KIN = "|".join(sorted(_KIN_WORDS))
_MENTIONED_BEFORE = {"children"} | {word + end for word in _KIN_WORDS for end in ("", "s", "'s")}
_KIN_BEFORE = re.compile(
    rf"(?i)\b(?:(?:my|our)\s+(?:\w+\s+){{0,3}}(?:{_KIN})(?:[- ]in[- ]law)?"
    rf"|(?:a|her|his|the|their|\w+['\u2019]s)\s+(?:{'|'.join(sorted(FRIENDS))})"
    rf"|(?:^|[{STOPS}]\s+)(?:{'|'.join(sorted(FRIENDS))}))"  # "Neighbor Mike told us".
    r"(?: named|['\u2019]s name(?:['\u2019]s| is| was))?(?: (?:dr|mrs?|ms)\.?)?(,|\s-|\s\()?\s*$"
)
_KIN_OF_SEVERAL = re.compile(  # "My sons Mark and ".
    rf"(?i:\b(?:my|our)\s+(?:\w+\s+)?(?:(?:{_KIN})s|children)),?\s+(?:[A-Z]\w+,?\s+(?:and\s+)?)*$"
)
_ASIDE_ENDS = re.compile(r"\s*[,)-]|\s+and (?:I|me)\b")
_KIN_AFTER = re.compile(  # "Mark, my son", "Mark at corporate"; but "Mark, our dog groomer".
    rf"(?i)\s*[,(]\s*(?:my|our)\s+(?:\w+\s+)?(?:{_KIN})\b(?!\s+(?:{'|'.join(sorted(TRADES))}))"
    r"|\s+(?:next door|(?:across|down|up) the (?:block|hall|road|street))\b"
    r"|\s+(?:at|from|in|of|with) (?:corporate|headquarters|(?:an|the )other)\b"
)
_I_AM = (" i am", " i'm", " im", " my name is", " my name's")
_THIS_IS = {" hello this is", " hi this is", " this is"}
_LAST_OF_THESE = {phrase.rpartition(" ")[2] for phrase in (*_I_AM, *_THIS_IS)}
_CLOSING = re.compile(
    rf"(?i)(?:(?:^|[{STOPS}])[\"\u201d)]*\s*[-\u2013\u2014~]+\s*"
    r"|(?:\S[ \t]+[^\n:]*[^\n:\s]|[^\n]*[.!?,])[ \t]*\n\s*[-\u2013\u2014~]*\s*"
    r"|\b(?:sincerely|regards|signed|best wishes|yours truly|respectfully"
    r"|(?:customer|client|guest|patient|tenant)s?),?\s*)$"
)
_BY_LINE = re.compile(r"(?i)\b(?:posted|review(?:ed)?|submitted|written) by $")
_LONE = re.compile(r"\w[.!…]+[\"\u201d)]*\s+$")  # "Great work. Mark"
_COUPLE = re.compile(r"\s+(?:&|and)\s+[A-Z]\w+\s+[A-Z]\w+\s*\.?\s*\Z|,\s*[A-Z]\w+,? [A-Z]{2}\s*\Z")
_PAID = re.compile(
    r"(?i)\b(?:account|bank|card|charge|financ|loan|mortgage|paid|pay|refinanc)\w*(?: \w+){1,3} $"
)
_PREFIXES = SAINTS | KIN_TITLES | STORMS
# Short forms too, but not what is a verb: "Hope Dana gets a raise".
_FIRST_NAMES = GIVEN_NAMES | (NICKNAMES.keys() - VERBS - MODALS)


def is_a_stranger(around: Surroundings, surname: Sequence[str]) -> bool:
    """Whether the name is that of somebody or something else.

    `surname` as in `namesakes.is_that_person`.
    """
    return (
        _is_part_of_something(around)
        or (around.previous in _PREFIXES and not _is_a_saint_himself(around))
        or _is_somebody_else(around, surname)
        or _is_a_firm_or_place(around)
        or is_on_the_writers_side(around)
    )


def _is_a_saint_himself(around: Surroundings) -> bool:
    """ "The patience of a saint Mark has"; but "saint mark's" where nothing is capitalised."""
    return around.previous_spelling == "saint" and not around.spelling.islower()


def _is_part_of_something(around: Surroundings) -> bool:
    """Jean-Mark, Mark-Anthony, D'Mark, mark@shop.example, Mark.com, Don't."""
    before, after = around.before, around.after
    if _NEGATION.match(after) and (after[0] != " " or around.name == "don"):  # But "bill t.".
        return True
    if before[-1:] in _JOINTS and before[-2:-1].isalpha():
        chunk = re.split(r"\W", before[:-1])[-1]
        if before[-1] not in HYPHENS or chunk[:1].isupper() or chunk == "mid":
            return chunk.casefold() not in CALLERS
    if after[:1] == ".":
        return re.split(r"\W", after[1:6])[0] in ADDRESS_ENDS
    if after[:1] in HYPHENS and after[1:2].isalpha():
        return after[1].isupper() or around.name in WORDS
    return after[:1] == "@"


def _is_somebody_else(around: Surroundings, surname: Sequence[str]) -> bool:
    """Another surname follows, or another given name comes before."""
    is_given = around.previous in _FIRST_NAMES and (
        around.previous_spelling[:1].isupper() or around.name in WORDS
    )
    if is_given or (around.follows_a_name and not around.is_title_case):
        return True
    is_alone = not surname or not around.next or _NEW_LINE.match(around.after)
    return not (is_alone or around.is_before(surname)) and _is_before_a_surname(around, surname)


def _is_before_a_surname(around: Surroundings, surname: Sequence[str]) -> bool:
    spelling = around.next_spelling
    if around.spelling.islower():
        return _goes_on_as_a_surname(around)
    if len(spelling) == 1:
        return spelling.isupper() and not _is_own_initial(around, surname)
    return _is_before_a_capital(around) if around.next in PARTICLES else is_before_a_surname(around)


def _goes_on_as_a_surname(around: Surroundings) -> bool:
    """ "Kevin hart was on tv", "dr. kevin hart"; but "kevin rebuilt our deck"."""
    if around.name in WORDS or not around.is_before_a_noun:
        return False
    return around.previous in FORMAL_TITLES or any(map(is_deed, around.following[1:3]))


def _is_before_a_capital(around: Surroundings) -> bool:
    """The "de" of "Mark de Vries", and not that of "Mark de-iced our pipes"."""
    follows = re.match(rf"\s*{re.escape(around.next_spelling)}\s+(\w)", around.after)
    return follows is not None and follows[1].isupper()


def is_before_a_surname(around: Surroundings) -> bool:
    spelling = around.next_spelling
    return (
        spelling[:1].isupper()
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
    return middle is not None


def _is_a_firm_or_place(around: Surroundings) -> bool:
    """ "Grant Street", "Tyler, Texas", "Mark's Plumbing", "lunch at Mark's", "Mark's is better".

    But "Mark's plumbing" is his work.
    """
    mark = around.after[:1]
    if mark == " " and _IN_TX.match(around.after) and not around.spelling.isupper():
        return True
    if mark in {",", *APOSTROPHES} and (
        _OWNING_NOTHING.match(around.after)
        or ((state := _IN_STATE.match(around.after)) and plain(state[1]) in STATES)
    ):
        return True
    is_named_so = _AND_SONS.match(around.after) is not None or _is_named_after_somebody(around)
    return is_named_so and not around.is_title_case


def _is_named_after_somebody(around: Surroundings) -> bool:
    owned = _OWNED.match(around.after)
    if owned is None:
        is_named_so = around.next in ESTABLISHMENTS and around.next_spelling.istitle()
        return is_named_so or _is_dealt_with(around) or _is_a_brand(around)
    if plain(owned[1]) in FINITE and around.previous == "at":  # "Dinner at Mark's was cold".
        return True
    return owned[1][0].isupper() and not owned[1].isupper() and plain(owned[1]) not in NOT_SURNAMES


def _is_a_brand(around: Surroundings) -> bool:
    """ "The Dale exit", "Hudson Rose boutique"; but "the Scott who came"."""
    is_article = around.previous in {"a", "an", "the"}
    return (is_article or around.follows_a_capital) and around.is_before_a_noun


def _is_dealt_with(around: Surroundings) -> bool:
    """ "Dinner at Rose", "paid with Chase"; but "mad at Rose"."""
    if around.previous == "at":
        return AIMED.isdisjoint(around.preceding[-2:-1])
    return (
        around.previous in {"by", "through", "thru", "with"}
        and _PAID.search(around.before) is not None
    )


def is_on_the_writers_side(around: Surroundings) -> bool:
    """ "My husband Mark", "Mark, my son,", "My name is Mark", "Great work!\n- Mark"."""
    before, after = around.before, around.after
    if _KIN_AFTER.match(after) or (
        not _MENTIONED_BEFORE.isdisjoint(around.preceding) and _is_kin(around)
    ):
        return True
    if _is_introducing_himself(around) and after[:1] not in APOSTROPHES:
        return True
    if not around.previous and (not after or _COUPLE.match(after)) and _LONE.search(before):
        return True
    if not around.ends_the_text:
        return False
    signs = _BY_LINE if around.previous in INTRODUCERS else _CLOSING
    return signs.search(before) is not None


def _is_introducing_himself(around: Surroundings) -> bool:
    """ "I'm Mark", "Hi, this is Mark"."""
    if around.previous not in _LAST_OF_THESE:
        return False
    said = " ".join(["", *around.preceding])
    return said.endswith(_I_AM) or said in _THIS_IS


def _is_kin(around: Surroundings) -> bool:
    """ "My husband Mark", "my sons Mark and Will", "a neighbor named Mark"."""
    kin = _KIN_BEFORE.search(around.before)
    if kin is not None and (not kin[1] or _ASIDE_ENDS.match(around.after)):
        return True
    return _KIN_OF_SEVERAL.search(around.before) is not None
