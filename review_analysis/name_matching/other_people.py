"""Other bearers of a technician's name: people, firms, streets."""

import re
from collections.abc import Sequence

from review_analysis.name_matching.context import (
    APOSTROPHES,
    HYPHENS,
    LETTERS_MEANT,
    STOPS,
    Surroundings,
    is_deed,
    plain,
)
from review_analysis.name_matching.customer_names import is_on_the_writers_side
from review_analysis.name_matching.nicknames import GIVEN_NAMES, NICKNAMES
from review_analysis.name_matching.word_senses import MODALS, VERBS, WORDS
from review_analysis.name_matching.words import (
    ADDRESS_ENDS,
    AIMED,
    CALLERS,
    DETERMINERS,
    ESTABLISHMENTS,
    FORMAL_TITLES,
    INDEPENDENT,
    KIN_TITLES,
    NOT_SURNAMES,
    PARTICLES,
    SAINTS,
    STATES,
    STORMS,
    SUPERLATIVES,
    TRADES,
    either,
)
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
# "Coming to Mark's for years", "another Mark's": nothing follows that could be a person's.
_OWNING_NO_NOUN = re.compile(
    r"['\u2019]s? (?:after|again|as|at|because|before|but|during|every|for|i|if|in|it|last|next|off"
    r"|on|or|since|so|that|then|they|this|to|today|tonight|twice|until|we|when|where|which|while|with"
    r"|yesterday|you)\b|['\u2019]s? and (?!(?:[A-Z]|the )\w*['\u2019]s\b)"
)
_BEFORE_FIRMS = _WORDS["before_firms"]
_NO_NAMES = DETERMINERS | SUPERLATIVES | {"another", "local", "nearest", "new", "old", "other"}
_NO_NAMES -= {"my", "his", "her", "their", "its", "your"}
_SERVING = re.compile(
    r"['\u2019]s (?:\w+ly )?(?:carries|closed|closes|offers|opened|opens|popped|sells|serves|sucks"
    r"|used to)\b"
)
_WRITTEN = re.compile(r"['\u2019]s (?:\w+ )?(?:comments?|posts?|reviews?)\b")
_ENTERED = re.compile(  # "I came in, Mark was", "sent in Mark", "a gem in Mark", "ran into Mark".
    r"(?i)\b(?:(?:advocate|ally|asset|believ\w+|book\w*|br(?:ing|ought)|call\w*|c[ao]me|check\w*"
    r"|coming|confidence|dropp?\w*|faith|fill\w*|f[io]u?nd|friend|(?<!hidden )gem|got|had"
    r"|interest\w*|jewel|jump\w*|keeper|let|partner|phoned|pitched|popp?\w*|put|rang|sen[dt]"
    r"|squeez\w+|stepp?\w*|stopp?\w*|team|treasure|trust\w*|walk\w*|went|winner)(?: \w+)? in"
    r"|(?:bump\w*|ran|runs?|running)(?: \w+)? into) $"
)
_FROM_AFAR = re.compile(  # "Moved here from Mark", "flew in from Mark", "a party of ten from Mark".
    r"(?i)\b(?:(?:anyone|clients|commut\w+|couple|customers|dr[io]ve|driving|everyone|family|flew|flight"
    r"|folks|friends|guests|hours?|i'm|mile|miles|minutes|mov(?:ed|ing)|parents|people|relocat\w+"
    r"|someone|students|tourists|transplants?|we're|party of \w+|\d+)"
    r"(?: (?:all|away|back|down|here|in|out|over|the way|up)){0,3} from"
    r"|(?:commut\w+|dr[io]ve|driving|flew|flight|mov(?:ed|ing)|relocat\w+)"
    r"(?: (?:all|back|down|here|out|over|the way|up)){0,3} to) $"
)
_AT_A_CORNER = re.compile(r"\b(?:at|between|[Cc]orner of|on) ([A-Z]\w+) (?:and|&) $")
_WITH_A_CORNER = re.compile(r" (?:and|&|St\.?) \d+(?:st|nd|rd|th)\b")
_IN_STATE = re.compile(r",\s*([^\W\d_]+)")
_IN_TX = re.compile(
    r" (?:AZ|CA|DC|FL|GA|IL|KY|MI|MN|MO|NC|NJ|NM|NV|NY|OH|SC|TN|TX|UT|VA|WA|WI"
    r"|az|fl|ga|ky|nc|nj|nm|nv|ny|sc|tn|tx|wi)\b"
)
_AND_SONS = re.compile(  # "Mark & Sons", "Mark & Larry's".
    r"\s+&\s+[A-Z]\w+['\u2019]s\b|\s+(?:&|and)\s+(?:Associates|Bros|Brothers|Co|Company|Daughters?|Sons?)\b"
)
_FORMER = re.compile(  # "Our old electrician, Roy", "opposing counsel was a guy named Dean".
    rf"(?i)\b(?:(?:former|old|previous|prior) (?:\w+ )?(?:{either(INDEPENDENT)})"
    r"(?:'s name)?(?: is| was)?,? (?:(?:dr|mrs?|ms)\.? )?"
    rf"|opposing (?:attorney|counsel|lawyer)[^{STOPS}]*)$"
)
_ELSEWHERE = re.compile(
    r"(?i)\s+(?:(?:at|from|in|of|with) (?:corporate|headquarters|(?:an|the )other)"
    r"|(?:from|with) (?:my|our|the) (?:bank|city|county|hoa|insurance|mortgage"
    r"|(?:cable|electric|gas|phone|power|utility|water) company))\b"
)
_FORMERLY = {"former", "old", "opposing", "previous", "prior"}
_PAID = re.compile(
    r"(?i)\b(?:account|bank|card|charge|financ|loan|mortgage|paid|pay|refinanc)\w*(?: \w+){1,3} $"
)
_PREFIXES = SAINTS | KIN_TITLES | STORMS | {"judge", "mayor", "rip", "sheriff"}
# Short forms too, but not what is a verb: "Hope Dana gets a raise".
_FIRST_NAMES = GIVEN_NAMES | (NICKNAMES.keys() - VERBS - MODALS)


def is_other_person(around: Surroundings, surname: Sequence[str]) -> bool:
    """Whether the name is that of somebody or something else.

    `surname` as in `disambiguation.is_that_person`.
    """
    return (
        _is_part_of_something(around)
        or (around.previous in _PREFIXES and not _is_a_saint_himself(around))
        or _is_somebody_else(around, surname)
        or _is_a_firm_or_place(around)
        or _is_of_another_firm(around)
        or is_on_the_writers_side(around)
        or _WRITTEN.match(around.after) is not None
    )


def _is_a_saint_himself(around: Surroundings) -> bool:
    """ "The patience of a saint Mark has"; but "saint mark's" where nothing is capitalised."""
    return around.previous_spelling == "saint" and not around.spelling.islower()


def _is_part_of_something(around: Surroundings) -> bool:
    """Jean-Mark, Mark-Anthony, D'Mark, mark@shop.example, Mark.com, Don't."""
    before, after = around.before, around.after
    if _IN_AN_ADDRESS.search(before):
        return True
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
    return not (is_alone or around.is_before(surname)) and _is_before_another(around, surname)


def _is_before_another(around: Surroundings, surname: Sequence[str]) -> bool:
    spelling = around.next_spelling
    if around.spelling.islower():
        return _goes_on_as_a_surname(around)
    if len(spelling) == 1:
        return spelling.isupper() and not _is_own_initial(around, surname)
    return _is_before_a_capital(around) if around.next in PARTICLES else around.is_before_a_surname


def _goes_on_as_a_surname(around: Surroundings) -> bool:
    """ "Kevin hart was on tv", "kevin h miller", "dr. kevin hart"; but "kevin rebuilt our deck"."""
    if len(around.next) == 1 and around.next.isalpha() and around.next not in LETTERS_MEANT:
        return True
    if not around.is_before_a_noun:
        return False
    return around.previous in FORMAL_TITLES or any(map(is_deed, around.following[1:3]))


def _is_before_a_capital(around: Surroundings) -> bool:
    """The "de" of "Mark de Vries", and not that of "Mark de-iced our pipes"."""
    follows = re.match(rf"\s*{re.escape(around.next_spelling)}\s+(\w)", around.after)
    return follows is not None and follows[1].isupper()


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
    is_joint = around.next in {"&", "and"} and _AND_SONS.match(around.after) is not None
    if around.is_title_case:
        return False
    return is_joint or _is_named_after_somebody(around) or _is_a_place(around)


def _is_a_place(around: Surroundings) -> bool:
    """ "A week in Tyler", "on Swann and Howard"; but "came in, Mark was", "a gem in Mark"."""
    if around.spelling.islower():
        return False
    if around.previous in {"from", "to"} and _FROM_AFAR.search(around.before):
        return around.after[:1] not in APOSTROPHES
    if around.previous in {"in", "into"}:
        is_owner = around.after[:1] in APOSTROPHES or around.next in {"i", "we", "you"}
        return not is_owner and _ENTERED.search(around.before) is None
    if around.previous in {"near", "via"}:
        return around.after[:1] not in APOSTROPHES
    if _WITH_A_CORNER.match(around.after):
        return True
    corner = _AT_A_CORNER.search(around.before)
    return corner is not None and not around.next and plain(corner[1]) not in _FIRST_NAMES


def _is_named_after_somebody(around: Surroundings) -> bool:
    if around.after[:1] in APOSTROPHES and _is_a_firm(around):
        return True
    owned = _OWNED.match(around.after) if around.after[:1] in APOSTROPHES else None
    if owned is None:
        is_named_so = around.next in ESTABLISHMENTS and around.next_spelling.istitle()
        return is_named_so or _is_dealt_with(around) or _is_a_brand(around)
    return owned[1][0].isupper() and not owned[1].isupper() and plain(owned[1]) not in NOT_SURNAMES


def _is_a_firm(around: Surroundings) -> bool:
    """ "Another Mark's", "coming to Mark's for years", "Mark's serves"; but "to Mark's desk"."""
    if around.previous in _NO_NAMES or _SERVING.match(around.after):
        return True
    return around.previous in _BEFORE_FIRMS and _OWNING_NO_NOUN.match(around.after) is not None


def _is_a_brand(around: Surroundings) -> bool:
    """ "The Dale exit", "Hudson Rose boutique", "the Dale"; but "the Scott who came"."""
    is_article = around.previous in {"a", "an", "the"}
    if (is_article or around.follows_a_capital) and around.is_before_a_noun:
        return True
    if around.previous == "the" and not around.spelling.islower():
        return around.next not in {"at", "from", "that", "who"} | TRADES
    is_described = around.preceding[-2:-1] in (["a"], ["an"], ["the"])
    return is_described and around.previous not in CALLERS | TRADES and around.is_before_a_noun


def _is_dealt_with(around: Surroundings) -> bool:
    """ "Dinner at Rose", "paid with Chase"; but "mad at Rose"."""
    if around.previous == "at":
        return AIMED.isdisjoint(around.preceding[-2:-1])
    return (
        around.previous in {"by", "through", "thru", "with"}
        and _PAID.search(around.before) is not None
    )


def _is_of_another_firm(around: Surroundings) -> bool:
    """ "Our old electrician, Mark", "opposing counsel, Mark", "Mark from the other shop"."""
    if around.next in {"at", "from", "in", "of", "with"} and _ELSEWHERE.match(around.after):
        return True
    return not _FORMERLY.isdisjoint(around.preceding) and _FORMER.search(around.before) is not None
