"""Rules that recognise names used as nouns, verbs, adjectives, months or towns."""

import re
from collections.abc import Callable

from review_analysis.name_matching import lists
from review_analysis.name_matching.context import (
    APOSTROPHES,
    STOPS,
    WORD,
    Surroundings,
    is_action_verb,
    is_adverb,
    is_finite,
    plain,
)
from review_analysis.name_matching.person_cues import (
    has_trade,
    is_addressed,
    is_at_work,
    is_personal,
)

_NEVER_BEFORE_A_MODAL = (
    lists.INTRODUCERS
    | lists.TRADES
    | lists.CHOICES
    | lists.BEFORE_INFINITIVES
    | lists.GIVERS
    | {*("about", "be", "for", "is", "like", "of", "than", "was", "without")}
)
_BEFORE_A_DEED = (
    lists.SUBJECTS | lists.MODALS | {"can", "could", "should", "them", "us", "what", "would"}
)
_INVOICED = {"was", "is", "came", "ended", "jumped", "looked", "seemed", "turned", "went", "will"}
_HELD = {"got", "had", "has", "have", "in", "of", "with"}
_HOPED = lists.OBJECTS | {"i", "not", "so", "you"}
_PEOPLE = lists.TRADES | lists.TEAM
_ONE_OF_THEM = re.compile(r"(?i)\b(?:an?|another|every|no|one|this)\s+[a-z]+\s+$")
_PORTION = re.compile(rf"(?i)\b(?:(?:{lists.either(lists.PORTIONS)})(?:e?s)? of|pride and)\s+$")
_STACCATO = re.compile(r"(?i)\. (?:be|call|definitely|never|not|recommend|return|use)\.")
_QUESTION = re.compile(rf"[^{STOPS}]*\?")
_SUM = re.compile(r":?\s*\$\d")
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


def is_part_of_a_phrase(around: Surroundings) -> bool:
    """Whether the name is part of a fixed phrase: "Chase bank", "x-ray", "Jack in the box"."""
    name = around.name
    before = lists.PRECEDED.get(name)
    if before and (around.previous in before or " ".join(around.preceding[-2:]) in before):
        return True
    following = around.next.removesuffix("'s")
    if following in lists.COMPOUNDS.get(name, ()) and following not in lists.LOOSE:
        return True
    phrases = lists.PHRASES.get(name)
    return phrases is not None and f"{' '.join(around.following[:4])} ".startswith(phrases)


def is_determined(around: Surroundings) -> bool:
    """Whether an article precedes: "the Bill"; not "this Bill guy"."""
    return around.previous in lists.DETERMINERS and not has_trade(around)


def is_counted(around: Surroundings) -> bool:
    """Whether the name is an amount or kind: "a real Joy", "a glass of Rose", "all Hope"."""
    if _PORTION.search(around.before):
        return True
    # "With grace", "faith and hope".
    if around.name in lists.ABSTRACT | lists.FOODS and around.spelling.islower():
        paired = around.previous == "and" and lists.ABSTRACT.intersection(around.preceding[-2:-1])
        if paired or around.previous in _HELD:
            return True
    return _ONE_OF_THEM.search(around.before) is not None and not is_action_verb(around.next)


def is_done_to_somebody(around: Surroundings) -> bool:
    """Whether the name is a verb with an object: "they rob you"."""
    if around.previous in {"don't", "not", "to"}:
        return around.next in {"him", "me", "them", "us"}
    objects = {"her", "him", "it", "me", "them", "us", "you"}
    return around.previous in _BEFORE_A_DEED and around.next in objects


def describes_a_thing(around: Surroundings) -> bool:
    """Whether the name modifies a noun: "Drew blood"; not "watched Austin work"."""
    return around.is_before_a_noun


def is_predicated(around: Surroundings) -> bool:
    """Whether the name is a predicative adjective: "too rich"; not "was Rich and he"."""
    if around.previous in {"be", "being", "so", "too", "very"}:
        return not is_action_verb(around.next)  # But "so Rich offered".
    return (
        around.previous in {"are", "is", "was", "were"}
        and around.next in {"and", "but"}
        and not around.is_paired
        and not (lists.DETERMINERS | lists.SUBJECTS | _PEOPLE).intersection(around.following[1:2])
    )


def is_modal(around: Surroundings) -> bool:
    """Whether the name is a modal verb: "Will use again", "May I suggest"."""
    if around.name == "will" and around.previous in lists.DETERMINERS | {"our"}:
        return not has_trade(around)  # The document.
    if not around.next:  # "Will, our technician", "ask for Will!"; not "Will. Not. Return."
        return _STACCATO.match(around.after) is not None
    if around.previous in _NEVER_BEFORE_A_MODAL or is_addressed(around):
        return False
    if around.next == "for":  # "Mark and Will for their help"; not "will for sure".
        return around.following[1:2] in (["certain"], ["sure"])
    if around.next in lists.DETERMINERS | {"our"} and has_trade(around):  # "Will our tech came".
        # "May the owner be blessed", "Will the tech come?".
        return "be" in around.following[:4] or _QUESTION.match(around.after) is not None
    # "Will always explained"; not "will always recommend".
    verbs = (word for word in around.following if not word.isdigit() and not is_adverb(word))
    verb = next(verbs, "")
    return verb in lists.AFTER_MODAL or (verb != "" and not is_finite(verb))


def is_compound(around: Surroundings) -> bool:
    """Whether the rest of a compound follows: "Chip in"; not "met Rose in the hall"."""
    is_compound = around.next in lists.COMPOUNDS.get(around.name, ())
    return is_compound and around.previous not in lists.INTRODUCERS


def is_hoped(around: Surroundings) -> bool:
    """Whether "hope" begins a wish: "Hope this helps", "Hope Will comes back"."""
    return around.next in _HOPED or around.next in lists.WORDS


def is_invoice(around: Surroundings) -> bool:
    """Whether "bill" is an invoice: "Bill came to $400"; not "Bill came at 8"."""
    if _SUM.match(around.after):
        return True
    if lists.PERSONAL.intersection(around.following[1:2]):
        return False
    if around.next == "came" and around.following[1:2] not in (["to"], ["in"], ["out"]):
        return False
    if around.next not in _INVOICED:
        return False
    clause = re.split(rf"[{STOPS};]", around.after, maxsplit=1)[0]
    words = [plain(word) for word in WORD.findall(clause)][:6]
    if lists.TIMES.intersection(words):
        return False
    return any(word in lists.PRICES or word == "$" or word.isdigit() for word in words[:5])


def is_command(around: Surroundings) -> bool:
    """Whether the name is an imperative: "Skip this place"; not "Mark my technician"."""
    if around.next not in lists.OBJECTS:
        return False
    return around.previous not in lists.INTRODUCERS | lists.GIVERS and not has_trade(around)


def is_joined_to_another(around: Surroundings) -> bool:
    """Whether the name is one of two adjectives: "Rich and creamy"; not "Rich and his crew"."""
    if around.next not in {"and", "but", "in", "or"}:
        return False
    if around.previous in lists.INTRODUCERS | {"both", "especially", "particularly"}:
        return False
    return not around.is_paired and not any(
        word in lists.DETERMINERS | lists.TRADES | {"i", "we"} for word in around.following[1:3]
    )


def opens_a_noun_phrase(around: Surroundings) -> bool:
    """Whether the name begins a noun phrase, not followed by a verb: "Miles of cable"."""
    if not around.next_spelling.islower() or is_addressed(around):
        return False
    further = next(iter(around.following[1:2]), "")
    if around.next in lists.PARTICIPLES:
        return further not in lists.DETERMINERS | lists.OBJECTS
    if around.is_before_a_plural:
        return True  # "Stone countertops came out well"
    if around.name in lists.ABSTRACT | lists.FOODS and around.next in {"and", "&"}:
        return not around.is_paired and further not in lists.DETERMINERS | _PEOPLE
    verb = next((word for word in around.following if not is_adverb(word)), "")
    if around.name in lists.ADJECTIVES and verb in lists.LOOSE | {"over", "to"}:
        return False
    is_predicate = (
        verb == ""
        or is_finite(verb)
        or verb in lists.PRAISE | lists.OBJECTS | lists.PERSONAL | lists.CONNECTIVES
    )
    return around.next in {"of", "to"} or not is_predicate


# --- Months and towns -----------------------------------------------------------------------------


def is_dated(around: Surroundings) -> bool:
    """Whether the name is part of a date: "April 2024", "3rd of April"."""
    return bool(_DATED_AFTER.match(around.after) or _DATED_BEFORE.search(around.before))


def is_when(around: Surroundings) -> bool:
    """Whether the name is a time: "ready by April"; not "seen by April"."""
    if around.next in {"till", "until"} or around.previous in {"it's", "its"}:
        return True
    if around.previous in {"for", "to"}:
        return bool(lists.SCHEDULED.intersection(around.preceding[-4:]))
    if around.previous == "by":
        done = next(iter(around.preceding[-2:-1]), "")
        return done in lists.SCHEDULED or not done.endswith(("ed", "ne", "en"))
    return around.previous in lists.MONTH_BEFORE and "because" not in around.preceding[-2:-1]


def is_among_months(around: Surroundings) -> bool:
    """Whether another month is beside the name: "from April to June"."""
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
    """Whether the name is a town: "Austin, TX"; not "kind words from Austin"."""
    if around.previous in lists.PLACE_BEFORE or re.match(r",\s*[A-Z]{2}\b", around.after):
        return True
    if _TRAVEL.search(around.before) or (
        _WENT.search(around.before) and _FOR_A_WHILE.match(around.after)
    ):
        return True
    if around.previous == "from":
        return not lists.ORIGIN_BEFORE.isdisjoint(around.preceding[-2:-1])
    if around.previous != "of" or is_action_verb(around.next):
        return False
    return _GIVEN.isdisjoint(around.preceding[-2:])


# --- All uses -------------------------------------------------------------------------------------

_Use = Callable[[Surroundings], bool]

# How a name is used as the word that it is too, also by a capital within the sentence ("in April"),
# and the names that may be.
_MARKED: tuple[tuple[frozenset[str], _Use], ...] = (
    (lists.WORDS, is_part_of_a_phrase),
    (lists.WORDS - lists.MODALS, is_determined),
    (lists.NOUNS, is_counted),
    (lists.VERBS, is_done_to_somebody),
    (lists.MONTHS, is_dated),
    (lists.MONTHS, is_when),
    (lists.MONTHS, is_among_months),
    (lists.MONTHS, is_weather),
    (lists.PLACES, is_place),
    (lists.PLACES | lists.ADJECTIVES, describes_a_thing),
    (lists.ADJECTIVES, is_predicated),
    (lists.MODALS, is_modal),
)
# The same where any word may have a capital, as at the start of a sentence, or none has.
_UNMARKED: tuple[tuple[frozenset[str], _Use], ...] = (
    *_MARKED,
    (lists.WORDS, is_compound),
    (lists.WORDS & lists.TRADES, is_at_work),
    (frozenset({"bill"}), is_invoice),
    (frozenset({"hope"}), is_hoped),
    (lists.VERBS, is_command),
    (lists.VERBS, describes_a_thing),
    (lists.ADJECTIVES, is_joined_to_another),
    (lists.NOUNS | lists.ADJECTIVES, opens_a_noun_phrase),
)
_USES = {name: [use for names, use in _MARKED if name in names] for name in lists.WORDS}
_UNMARKED_USES = {name: [use for names, use in _UNMARKED if name in names] for name in lists.WORDS}


def is_that_word(around: Surroundings) -> bool:
    """Whether the name is used as a word of the same spelling."""
    if around.name not in lists.WORDS:
        return is_part_of_a_phrase(around)
    after = around.after
    if after[:1] in APOSTROPHES:
        # "April '24" or "Austin's best plumbers"; other possessives are those of people.
        is_praise = any(word in lists.SUPERLATIVES for word in around.following[:3])
        return after[1:2].isdigit() or (around.name in lists.PLACES and is_praise)
    if around.name in lists.COMMON:
        return is_part_of_a_phrase(around) or not is_personal(around)
    uses = _UNMARKED_USES if around.is_unmarked else _USES
    for is_use in uses[around.name]:  # noqa: SIM110  (`any` takes 50 % longer)
        if is_use(around):
            return True
    return False
