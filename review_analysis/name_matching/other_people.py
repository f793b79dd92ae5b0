"""Rules that recognise other people, firms and places with a technician's name."""

import re
from collections.abc import Sequence

from review_analysis.name_matching import lists
from review_analysis.name_matching.context import (
    APOSTROPHES,
    HYPHENS,
    STOPS,
    Surroundings,
    is_action_verb,
    plain,
)
from review_analysis.name_matching.customer_names import is_on_the_writers_side
from review_analysis.name_matching.nicknames import GIVEN_NAMES, NICKNAMES
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_JOINTS = HYPHENS | {"'", "\u2019", "@"}
_IN_AN_ADDRESS = re.compile(r"(?:://|\bwww\.|\w\.(?:com|net|org)/)\S*$")
_NEGATION = re.compile(r" ?['`\u2018\u2019\u00b4] ?[tT]\b| t\b")  # "Don't", and badly typed.
_NEW_LINE = re.compile(r"[^\S\n]*\n")
_OWNED = re.compile(r"['\u2019]s?\s+([^\W\d_]\w+)")
_OWNING_NOTHING = re.compile(  # "Mark's is better", "Mark's serves", "Mark's on 5th".
    r"['\u2019]s(?:\s*(?:[.,;!?)]|\Z)"
    r"|\s+(?:are|could|did|does|has|is|makes|may|might|serves|was|were|would)\b"
    r"|\s+o(?:n|ff)\s+(?:\d+(?:st|nd|rd|th)|(?!Facebook|Google|Nextdoor|Yelp|\w+day)[A-Z][a-z])"
    r")"
)
# "Coming to Mark's for years": no noun follows that a person could own.
_OWNING_NO_NOUN = re.compile(
    r"['\u2019]s? (?:after|again|as|at|because|before|but|during|every|for|i|if|in|it|last|next|off"
    r"|on|or|since|so|that|then|they|this|to|today|tonight|twice|until|we|when|where|which|while|with"
    r"|yesterday|you)\b|['\u2019]s? and (?!(?:[A-Z]|the )\w*['\u2019]s\b)"
)
_NO_NAMES = (
    lists.DETERMINERS | lists.SUPERLATIVES | {"another", "local", "nearest", "new", "old", "other"}
)
_NO_NAMES -= {"my", "his", "her", "their", "its", "your"}
_SERVING = re.compile(
    r"['\u2019]s (?:\w+ly )?(?:carries|closed|closes|offers|opened|opens|popped|sells|serves|sucks"
    r"|used to)\b"
)
_WRITTEN = re.compile(r"['\u2019]s (?:\w+ )?(?:comments?|posts?|reviews?)\b")
_FROM_AFAR = re.compile(  # "Moved here from Mark", "drove to Mark".
    r"(?i)\b(?:anyone|dr[io]v\w+|everyone|flew|flight|hours?|miles?|minutes|mov(?:ed|ing)|people"
    r"|relocat\w+)(?: (?:all|away|back|down|here|in|out|over|the way|up)){0,3} (?:from|to) $"
)
_IN_STATE = re.compile(r",\s*([^\W\d_]+)")
_IN_TX = re.compile(
    r" (?:AZ|CA|DC|FL|GA|IL|KY|MI|MN|MO|NC|NJ|NM|NV|NY|OH|SC|TN|TX|UT|VA|WA|WI"
    r"|az|fl|ga|ky|nc|nj|nm|nv|ny|sc|tn|tx|wi)\b"
)
_AND_SONS = re.compile(  # "Mark & Sons", "Mark & Larry's".
    r"\s+&\s+[A-Z]\w+['\u2019]s\b|\s+(?:&|and)\s+(?:Associates|Bros|Brothers|Co|Company|Daughters?|Sons?)\b"
)
_FORMER = re.compile(  # "Our old electrician, Roy", "opposing counsel was a guy named Dean".
    rf"(?i)\b(?:(?:former|old|previous|prior) (?:\w+ )?(?:{lists.either(lists.INDEPENDENT)})"
    r"(?:'s name)?(?: is| was)?,? (?:(?:dr|mrs?|ms)\.? )?"
    rf"|opposing (?:attorney|counsel|lawyer)[^{STOPS}]*)$"
)
_ELSEWHERE = re.compile(
    r"(?i)\s+(?:(?:at|from|in|of|with) (?:corporate|headquarters|(?:an|the )other)"
    r"|(?:from|with) (?:my|our|the) (?:bank|city|county|hoa|insurance|mortgage"
    r"|(?:cable|electric|gas|phone|power|utility|water) company))\b"
)
_PREFIXES = lists.SAINTS | lists.KIN_TITLES | lists.STORMS | {"judge", "mayor", "rip", "sheriff"}
# Includes short forms, but no verbs: "Hope Dana gets a raise".
_FIRST_NAMES = GIVEN_NAMES | (NICKNAMES.keys() - lists.VERBS - lists.MODALS)


def is_other_person(around: Surroundings, surname: Sequence[str]) -> bool:
    """Whether the name is that of somebody or something else."""
    return (
        _is_part_of_something(around)
        or around.previous in _PREFIXES
        or _is_somebody_else(around, surname)
        or _is_a_firm_or_place(around)
        or _is_of_another_firm(around)
        or is_on_the_writers_side(around)
        or _WRITTEN.match(around.after) is not None
    )


def _is_part_of_something(around: Surroundings) -> bool:
    """Whether the name is part of another token: "Jean-Mark", "D'Mark", "Mark.com", "Don't"."""
    before, after = around.before, around.after
    if _IN_AN_ADDRESS.search(before):
        return True
    if _NEGATION.match(after) and (after[0] != " " or around.name == "don"):  # But "bill t.".
        return True
    if before[-1:] in _JOINTS and before[-2:-1].isalpha():
        chunk = re.split(r"\W", before[:-1])[-1]
        if before[-1] not in HYPHENS or chunk[:1].isupper():
            return chunk.casefold() not in lists.CALLERS
    if after[:1] == ".":
        return re.split(r"\W", after[1:6])[0] in lists.ADDRESS_ENDS
    if after[:1] in HYPHENS and after[1:2].isalpha():
        return after[1].isupper() or around.name in lists.WORDS
    return after[:1] == "@"


def _is_somebody_else(around: Surroundings, surname: Sequence[str]) -> bool:
    """Whether another surname follows, or another first name precedes."""
    is_given = around.previous in _FIRST_NAMES and (
        around.previous_spelling[:1].isupper() or around.name in lists.WORDS
    )
    if is_given or around.follows_a_name:
        return True
    is_alone = not surname or _NEW_LINE.match(around.after)
    return not (is_alone or around.is_before(surname)) and _is_before_another(around, surname)


def _is_before_another(around: Surroundings, surname: Sequence[str]) -> bool:
    spelling = around.next_spelling
    if around.spelling.islower():
        return _goes_on_as_a_surname(around)
    if len(spelling) == 1:
        return spelling.isupper() and not _is_own_initial(around, surname)
    return around.is_before_a_surname


def _goes_on_as_a_surname(around: Surroundings) -> bool:
    """Whether a surname follows in lower case: "kevin hart was on tv"."""
    if not around.is_before_a_noun:
        return False
    return around.previous in lists.FORMAL_TITLES or any(map(is_action_verb, around.following[1:3]))


def _is_own_initial(around: Surroundings, surname: Sequence[str]) -> bool:
    """Whether a letter is the person's initial, or not an initial: "Mark I like"."""
    initial = around.next_spelling
    if initial == "I" or (initial == "A" and not re.match(r"\s*A\.", around.after)):
        return True
    middle = re.match(rf"\s*\w\.?\s+{re.escape(surname[0])}\b", around.after.casefold())
    return middle is not None


def _is_a_firm_or_place(around: Surroundings) -> bool:
    """Whether the name is that of a firm or place: "Mark's Plumbing", "Tyler, Texas"."""
    state = _IN_STATE.match(around.after)
    return (
        (_IN_TX.match(around.after) is not None and not around.spelling.isupper())
        or (state is not None and plain(state[1]) in lists.STATES)
        or _OWNING_NOTHING.match(around.after) is not None
        or _AND_SONS.match(around.after) is not None
        or (around.after[:1] not in APOSTROPHES and _FROM_AFAR.search(around.before) is not None)
        or _is_named_after_somebody(around)
    )


def _is_named_after_somebody(around: Surroundings) -> bool:
    if around.after[:1] in APOSTROPHES and _is_a_firm(around):
        return True
    owned = _OWNED.match(around.after) if around.after[:1] in APOSTROPHES else None
    if owned is None:
        is_named_so = around.next in lists.ESTABLISHMENTS and around.next_spelling.istitle()
        is_there = around.previous == "at" and lists.AIMED.isdisjoint(around.preceding[-2:-1])
        return is_named_so or is_there or _is_a_brand(around)
    return (
        owned[1][0].isupper()
        and not owned[1].isupper()
        and plain(owned[1]) not in lists.NOT_SURNAMES
    )


def _is_a_firm(around: Surroundings) -> bool:
    """Whether the possessive is a firm: "another Mark's"; not "to Mark's desk"."""
    if around.previous in _NO_NAMES or _SERVING.match(around.after):
        return True
    return (
        around.previous in _WORDS["before_firms"]
        and _OWNING_NO_NOUN.match(around.after) is not None
    )


def _is_a_brand(around: Surroundings) -> bool:
    """Whether the name is a brand or place after an article: "the Dale exit"."""
    is_article = around.previous in {"a", "an", "the"}
    if (is_article or around.follows_a_capital) and around.is_before_a_noun:
        return True
    if around.previous == "the" and not around.spelling.islower():
        return around.next not in {"at", "from", "that", "who"} | lists.TRADES
    is_described = around.preceding[-2:-1] in (["a"], ["an"], ["the"])
    return (
        is_described
        and around.previous not in lists.CALLERS | lists.TRADES
        and around.is_before_a_noun
    )


def _is_of_another_firm(around: Surroundings) -> bool:
    """Whether the person works elsewhere: "our old electrician, Mark"."""
    return bool(_ELSEWHERE.match(around.after) or _FORMER.search(around.before))
