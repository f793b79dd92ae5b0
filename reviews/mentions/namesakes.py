"""Pure: tell a technician's name from the words and the strangers that look like it.

"Mark" may be Mark Dunn, a verb at the start of a sentence, or Mark Zuckerberg. The decision rests
on a few words on either side, so that it costs the same in a text of any length.

A name that is not an English word is taken unless another surname, another given name, an address,
a firm, the writer or the writer's family claims it. A name that is also a word (`WORDS`) must not
be used as that word, and where a capital letter says nothing, at the start of a sentence or among
capitals, the words around it decide. A name that is a `COMMON` word needs signs of a person.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from reviews.mentions.strangers import (
    is_a_stranger,
    is_before_a_surname,
    is_on_the_writers_side,
)
from reviews.mentions.surroundings import (
    APOSTROPHES,
    STOPS,
    WORD,
    Surroundings,
    is_adverb,
    is_finite,
    plain,
)
from reviews.mentions.words import (
    ABSTRACT,
    ADJECTIVES,
    ADVERBS,
    AFTER_MODAL,
    CALLERS,
    CHOICES,
    COMMON,
    COMPOUNDS,
    DEEDS,
    DETERMINERS,
    FINITE,
    FOODS,
    GIVEN,
    INTRODUCERS,
    JOBS,
    LOOSE,
    MANNERS,
    MODALS,
    MONTH_BEFORE,
    MONTH_NAMES,
    MONTHS,
    NOUNS,
    OBJECTS,
    PARTICIPLES,
    PERSONAL,
    PHRASES,
    PLACE_BEFORE,
    PLACES,
    PORTIONS,
    PRAISE,
    PRECEDED,
    PREPARED,
    PRICES,
    SCHEDULED,
    SEASONS,
    SUBJECTS,
    SUPERLATIVES,
    TEAM,
    THINGS,
    TIMES,
    TITLES,
    TRADES,
    VERBS,
    WEATHER,
    WITNESSED,
    WORDS,
)

_TRAVEL = re.compile(
    r"(?i)(?:\b(?:c[ao]me|coming|commut|dr[io]v|fl[ei]w|fly|head|here|hours|miles|minutes|mov|new"
    r"|relocat|return|travel|trip|visit|way)\w*|-\d+)"
    r"(?: (?:all|away|back|down|drive|here|in|out|over|the|up|way)){0,4} (?:from|to) $"
)
_AT_WORK = re.compile(
    r"(?i)(?:,? (?:and|or|&) \w+)?\s+(?:at|behind|from|in|on|over|with) (?:the )?(?:[\w-]+ ){0,2}"
    r"(?:accounting|bar|billing|claims|counter|department|dept|desk|dispatch|finance|front|hr|intake"
    r"|kitchen|lab|leasing|maintenance|office|parts|pharmacy|phones?|radiology|reception|register"
    r"|sales|scheduling|service|shift|shop|store|support|surgery|therapy|triage|warehouse|window)\b"
)
_CALLS_BY_NAME = CALLERS - {"thank", "thanks"}
_NEVER_BEFORE_A_MODAL = (
    INTRODUCERS
    | TRADES
    | CHOICES
    | WITNESSED
    | {*("about", "be", "for", "is", "like", "of", "than", "was", "without")}
)
_BEFORE_NAMES = CALLERS | TRADES | INTRODUCERS
_AFTER_WILL = AFTER_MODAL | ADVERBS
_BEFORE_A_DEED = SUBJECTS | MODALS | {"can", "could", "should", "them", "us", "what", "would"}
_OF_SEASONS = MONTH_BEFORE | {"all", "by", "entire", "for", "whole"}
_HOPED = OBJECTS | {"i", "not", "so", "you"}
_PEOPLE = TRADES | TEAM
_ASKED = re.compile(r"(?i)\bask(?:ed|ing)? for\s+$")
_THANKED = re.compile(r"(?i)\bthank(?:s| you| u)?(?: so much| again)?,?\s*$")
_ALSO = re.compile(r"(?i)\b(?:as|neither|nor|so) (?:did|does|has|is|was)\s+$")
_ONE_OF_THEM = re.compile(r"(?i)\b(?:an?|another|every|no|one)\s+[a-z]+\s+$")
_PORTION = re.compile(rf"(?i)\b(?:(?:{'|'.join(sorted(PORTIONS))})(?:e?s)? of|pride and)\s+$")
_THERE_IS = re.compile(r"(?i)\bthere(?:'s| is| was) (?:no )?$")
_INFINITIVE = re.compile(r"(?i)\b(?:ha[ds]|have|having|need(?:ed)?|want(?:ed)?|try|able) to\s+$")
_ADJECTIVES = re.compile(r", (?!thanks?\b)[a-z]+(?:,| and\b)")  # "Rich, buttery and crisp".
_DATED_BEFORE = re.compile(r"(?:\d|\d(?:st|nd|rd|th)(?: of)?|\b[Mm]id -)\s*$")
_DATED_AFTER = re.compile(
    r"\s*,?\s*(?:\d{4}|['\u2019]\d\d|\d{1,2}(?:st|nd|rd|th)?\b)"
    r"|\s+(?:of )?(?:last|this|next) year\b"
    r"|\s+(?:is|was) (?:when|(?:an?|the|their) (?:\w+ ){0,2}(?:season|time))\b"
)
_QUESTION = re.compile(rf"[^{STOPS}]*\?")
_NUMBER = re.compile(r"\d+|[IVX]{2,}")


def is_that_person(text: str, start: int, end: int, *, surname: Sequence[str]) -> bool:
    """Whether the capitalised single name at `text[start:end]` means a technician.

    `surname` is the folded words after the first name in the technician's own full name; without
    any, every surname may be theirs.
    """
    around = Surroundings(text, start, end)
    if is_a_stranger(around, surname):
        return False
    if around.is_before(surname) or (around.name in WORDS and _is_introduced(around)):
        return True
    return not is_that_word(around)


def is_titled_person(text: str, start: int, end: int) -> bool:
    """Whether "Dr.", "Ms." or the like comes before the surname at `text[start:end]`."""
    around = Surroundings(text, start, end)
    if around.previous not in TITLES or is_before_a_surname(around):  # "Dr. Kim Nguyen".
        return False
    return not is_on_the_writers_side(around)


def is_that_word(around: Surroundings) -> bool:
    """Whether the name is used as the word that it is too."""
    if around.name not in WORDS:
        return False
    after = around.after
    if after[:1] and after[0] in APOSTROPHES:
        # "April '24", "Austin's best plumbers"; else a possessive is a person's.
        is_praise = any(word in SUPERLATIVES for word in around.following[:3])
        return after[1:2].isdigit() or (around.name in PLACES and is_praise)
    if around.name in COMMON:
        return not _is_personal(around)
    uses = _USES_UNMARKED if around.is_unmarked else _USES
    return any(is_use(around) for is_use in uses[around.name])


def _is_introduced(around: Surroundings) -> bool:
    """ "Mr. Will", "Will the technician", "Will in billing", "Thank you Will for coming"."""
    if around.next in TRADES and around.name not in COMMON:
        return True
    if around.previous in _CALLS_BY_NAME or (around.name not in TRADES and _is_at_work(around)):
        return around.previous not in DETERMINERS | MONTH_BEFORE | PLACE_BEFORE
    if not _THANKED.search(around.before):
        return False
    # But "Thanks, will use again".
    return around.next not in _AFTER_WILL or around.next in {"for", "you", "i", "we"}


# --- Uses that give themselves away, also by a capital within the sentence: "in April" ------------


def _is_determined(around: Surroundings) -> bool:
    """ "The Bill", "a Carrier Grant"; but "this Bill guy"."""
    if around.previous in DETERMINERS:
        return not _has_trade(around)
    return around.follows_a_name and not around.is_shouted and not around.is_title_case


def _is_predicated(around: Surroundings) -> bool:
    """ "Too rich", "was rich and creamy"; but "our tech was Rich and he"."""
    if around.previous in {"be", "being", "so", "too", "very"}:
        return True
    return (
        around.previous in {"are", "is", "was", "were"}
        and around.next in {"and", "but"}
        and not around.is_paired
        and not (DETERMINERS | SUBJECTS | _PEOPLE).intersection(around.following[1:2])
    )


def _is_part_of_a_phrase(around: Surroundings) -> bool:
    """ "Chase bank", "x-ray", "Jack in the box", "a ray of Hope"."""
    name = around.name
    if around.previous in PRECEDED.get(name, ()):
        return True
    if around.next.removesuffix("'s") in COMPOUNDS.get(name, frozenset()) - LOOSE:
        return True
    return " ".join(around.following[:3]).startswith(PHRASES.get(name, ("\n",)))


def _is_numbered(around: Surroundings) -> bool:
    """ "Max 20", "40 Miles", "the new Mark IV"."""
    return around.previous.isdigit() or _NUMBER.fullmatch(around.next_spelling) is not None


def _is_counted(around: Surroundings) -> bool:
    """ "A real Joy", "a glass of Rose", "all Hope", "there is Hope"."""
    if _PORTION.search(around.before):
        return True
    if around.previous in (PREPARED if around.name in FOODS else SUPERLATIVES):
        return True
    if around.name in ABSTRACT | FOODS and _THERE_IS.search(around.before):
        return True
    if around.name in ABSTRACT and around.previous in {"all", "more", "much", "pure"}:
        return True
    return (
        _ONE_OF_THEM.search(around.before) is not None
        and around.previous not in _BEFORE_NAMES
        and not is_finite(around.next)
    )


def _is_done_to_somebody(around: Surroundings) -> bool:
    """ "They rob you", "going to sue them"; but "Thanks to Mark it works"."""
    if around.previous in {"don't", "not", "to"}:
        return around.next in {"him", "me", "them", "us"}
    objects = {"her", "him", "it", "me", "them", "us", "you"}
    return around.previous in _BEFORE_A_DEED and around.next in objects


def _is_personal(around: Surroundings) -> bool:
    """Signs of a person at a word that seldom is one: "Price was polite", "Long explained"."""
    name = around.name
    if name in SEASONS and around.previous in _OF_SEASONS and not _ASKED.search(around.before):
        return False
    if name in SEASONS and {"season", "seasons", "time"}.intersection(around.following[:6]):
        return False
    is_introduced = around.previous in INTRODUCERS or _ALSO.search(around.before) is not None
    if not around.next:
        return is_introduced or _has_trade(around)
    if around.next in {"and", "&", "or"}:
        has_company = around.following[1:2] in (["her"], ["his"], ["their"])
        return around.is_paired or has_company or is_introduced
    words = [word for word in around.following if not is_adverb(word)]
    verb, rest = words[:1], words[1:2]
    if verb and verb[0] in {"is", "was"}:
        qualities = PERSONAL if name in THINGS else PERSONAL | PRAISE
        return bool(qualities.intersection(rest)) or bool(JOBS.intersection(around.following[:5]))
    return bool((DEEDS | MANNERS).intersection(verb)) or (is_introduced and around.next in FINITE)


# --- Uses that only a place where any word may have a capital leaves open: "Mark my words" --------


def _is_compound(around: Surroundings) -> bool:
    """ "Rose to the occasion", "Chip in"; but "I met Rose in the hall"."""
    is_compound = around.next in COMPOUNDS.get(around.name, ())
    return is_compound and around.previous not in INTRODUCERS


def _is_hoped(around: Surroundings) -> bool:
    """ "Hope this helps", "Hope Will comes back"."""
    return around.next in _HOPED or (around.next in WORDS and around.next_spelling.istitle())


def _is_command(around: Surroundings) -> bool:
    """ "Chase them", "Skip this place"; but "Mark my technician"."""
    if around.next not in OBJECTS:
        return False
    return around.previous not in INTRODUCERS and not _has_trade(around)


def _is_joined_to_another(around: Surroundings) -> bool:
    """ "Rich and creamy", "Rich, hot and sweet"; but "Rich and his crew", "both Rich and Joy"."""
    if _ADJECTIVES.match(around.after):
        return True
    if around.next not in {"and", "but", "in", "or"}:
        return False
    if around.previous in INTRODUCERS | {"both", "especially", "particularly"}:
        return False
    return not around.is_paired and not any(
        word in DETERMINERS | TRADES | {"i", "we"} for word in around.following[1:3]
    )


def _opens_a_noun_phrase(around: Surroundings) -> bool:
    """ "Rose wine", "Miles of cable": what follows the person is a verb, or says more of them."""
    if not around.next_spelling.islower() or _is_addressed(around):
        return False
    further = next(iter(around.following[1:2]), "")
    if around.next in PARTICIPLES:
        return further not in DETERMINERS | OBJECTS
    if around.is_before_a_plural:
        return True  # "Stone countertops came out well"
    if around.name in ABSTRACT | FOODS and around.next in {"and", "&"}:
        return not around.is_paired and further not in DETERMINERS | _PEOPLE
    verb = next((word for word in around.following if not is_adverb(word)), "")
    if around.name in ADJECTIVES and verb in LOOSE | {"over", "to"}:
        return False
    return around.next in {"of", "to"} or not (
        is_finite(verb) or verb in PRAISE | OBJECTS | PERSONAL
    )


def _is_at_work(around: Surroundings) -> bool:
    """ "Grace at the front desk"; "Guy at the front desk" may be anybody."""
    return _AT_WORK.match(around.after) is not None


def _has_trade(around: Surroundings) -> bool:
    """ "Mark the technician", "this Will guy"."""
    return any(word in TRADES for word in around.following[:3])


def _is_dated(around: Surroundings) -> bool:
    """ "April 2024", "3rd of April", "April of last year", "April is a slow time"."""
    return bool(_DATED_AFTER.match(around.after) or _DATED_BEFORE.search(around.before))


def _is_when(around: Surroundings) -> bool:
    """ "In April", "By April", "it's April", "scheduled for April"."""
    if around.previous in {"for", "to"}:
        return bool(SCHEDULED.intersection(around.preceding[-4:]))
    if around.previous in {"it's", "its"}:
        return around.next != "who"
    return around.previous in MONTH_BEFORE or around.previous_spelling == "By"


def _is_weather(around: Surroundings) -> bool:
    """ "April showers", "April was a cold month"."""
    if around.next in {"was", "is", "had", "has"}:
        return bool(WEATHER.intersection(around.following[:6]))
    return around.next in WEATHER


def _is_among_months(around: Surroundings) -> bool:
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


def _is_place(around: Surroundings) -> bool:
    """ "In Austin", "Austin, TX", "flew in from Austin", "a quote from Austin"."""
    if around.previous in PLACE_BEFORE or re.match(r",\s*[A-Z]{2}\b", around.after):
        return True
    if around.previous in {"from", "to"} and _TRAVEL.search(around.before):
        return True
    if around.previous not in {"from", "of"} or is_finite(around.next):
        return False
    return GIVEN.isdisjoint(around.preceding[-2:])


def _describes_a_thing(around: Surroundings) -> bool:
    """ "The best London hotel", "conservative Christian parents"; but "watched Austin work"."""
    return around.is_before_a_noun


def _is_modal(around: Surroundings) -> bool:
    """ "Will use again", "May I suggest", also without a full stop before."""
    if around.name == "will" and around.previous in DETERMINERS | {"our"}:
        return not _has_trade(around)  # The document.
    if not around.next:  # "Will, our technician", "ask for Will!"
        return around.previous in SUBJECTS
    if around.previous in _NEVER_BEFORE_A_MODAL or _is_addressed(around):
        return False
    if around.next == "for":  # "Mark and Will for their help", but "will for sure".
        return around.following[1:2] in (["certain"], ["sure"])
    if around.previous in SUBJECTS or around.next in AFTER_MODAL:
        is_apposition = around.next in DETERMINERS | {"our"} and _has_trade(around)
        is_wish = "be" in around.following[:4]  # "May the owner be blessed".
        return not is_apposition or is_wish or _QUESTION.match(around.after) is not None
    # "Will always explained", but "will always recommend".
    verbs = (word for word in around.following if not word.isdigit() and not is_adverb(word))
    verb = next(verbs, "")
    return verb in AFTER_MODAL or (verb != "" and not is_finite(verb))


def _is_addressed(around: Surroundings) -> bool:
    """ "Will thank you for coming", "Will you are the best"."""
    if around.next in {"thank", "thanks"}:
        return True
    says = around.following[1:2]
    return around.next == "you" and bool({"are", "were", "rock", "did", "made"}.intersection(says))


def _is_invoice(around: Surroundings) -> bool:
    """ "Bill was too high", "Bill came to $400"; but "Bill was 10 minutes early", "came at 8"."""
    if PERSONAL.intersection(around.following[1:2]):
        return False
    if around.next == "came" and around.following[1:2] not in (["to"], ["in"], ["out"]):
        return False
    if around.next not in {"was", "is", "came", "ended", "turned", "seemed", "looked", "will"}:
        return False
    clause = re.split(rf"[{STOPS};]", around.after, maxsplit=1)[0]
    words = [plain(word) for word in WORD.findall(clause)][:6]
    if TIMES.intersection(words):
        return False
    return any(word in PRICES or word == "$" or word.isdigit() for word in words[:5])


_Rule = Callable[[Surroundings], bool]


def _of_each(rules: Iterable[tuple[frozenset[str], _Rule]]) -> dict[str, tuple[_Rule, ...]]:
    rules = tuple(rules)
    return {name: tuple(rule for words, rule in rules if name in words) for name in WORDS}


_MARKED = (
    (WORDS, _is_part_of_a_phrase),
    (WORDS - MODALS, _is_determined),
    (NOUNS, _is_counted),
    (frozenset({"mark", "max", "miles"}), _is_numbered),
    (VERBS, _is_done_to_somebody),
    (MONTHS, _is_dated),
    (MONTHS, _is_when),
    (MONTHS, _is_among_months),
    (MONTHS, _is_weather),
    (PLACES, _is_place),
    (PLACES | ADJECTIVES, _describes_a_thing),
    (ADJECTIVES, _is_predicated),
    (MODALS, _is_modal),
)
_UNMARKED = (
    (WORDS, _is_compound),
    (WORDS & TRADES, _is_at_work),
    (frozenset({"bill"}), _is_invoice),
    (frozenset({"hope"}), _is_hoped),
    (VERBS, _is_command),
    (ADJECTIVES, _is_joined_to_another),
    (NOUNS | ADJECTIVES, _opens_a_noun_phrase),
)
_USES = _of_each(_MARKED)
_USES_UNMARKED = _of_each(_MARKED + _UNMARKED)
