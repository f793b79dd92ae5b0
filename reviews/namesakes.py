"""Pure: tell a technician's name from the words and the strangers that look like it.

"Mark" may be Mark Dunn, a verb at the start of a sentence, or Mark Zuckerberg. The decision rests
on a few words on either side, so that it costs the same in a text of any length.

A name that is no English word is taken unless another surname, another given name, an address, a
firm, the writer or the writer's family claims it. A name that is also a word (`WORDS`) must not be
used as that word, and where a capital letter says nothing, at the start of a sentence or among
capitals, the words around it decide. A name that is a `COMMON` word needs signs of a person.
"""

import re
from collections.abc import Sequence
from functools import cached_property

from reviews.name_words import (
    ABBREVIATIONS,
    ADDRESS_ENDS,
    ADJECTIVES,
    ADVERBS,
    AFTER_MODAL,
    CALLERS,
    COMMON,
    COMPOUNDS,
    DEEDS,
    DETERMINERS,
    ESTABLISHMENTS,
    FINITE,
    GIVEN_NAMES,
    INTRODUCERS,
    JOBS,
    KIN_TITLES,
    LOOSE,
    MODALS,
    MONTH_BEFORE,
    MONTH_NAMES,
    MONTHS,
    NOT_SURNAMES,
    NOUNS,
    OBJECTS,
    PARTICLES,
    PERSONAL,
    PHRASES,
    PLACE_BEFORE,
    PLACES,
    PRAISE,
    PRECEDED,
    PRICES,
    RELATIVES,
    SAINTS,
    SEASONS,
    SUBJECTS,
    SUPERLATIVES,
    THINGS,
    TIMES,
    TITLES,
    TRADES,
    VERBS,
    WEATHER,
    WORDS,
)

WINDOW = 90  # Characters looked at on either side.

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*|&|\$")
_TRAVEL = re.compile(r"(?i)\b(?:trip|visit|mov|flew|drove|return|travel|relocat|new)\w* to $")
_NEXT = re.compile(rf"[ \t\n\r\xa0]{{1,8}}({_WORD.pattern})")
_LAST = re.compile(r"([^\W_]+(?:['\u2019][^\W_]+)*|&)(\.?)$")
_OPENERS = " \t\n\r\xa0*_\"'(\u201c\u2018"
_HYPHENS = "-\u2010\u2011"
_APOSTROPHES = "'\u2019"
_STOPS = ".!?\u2026\u3002"
_NEGATION = re.compile(r" ?['`\u2018\u2019\u00b4] ?[tT]\b| t\b")  # "Don't", and badly typed.
_AT_WORK = re.compile(
    r"(?i)\s+(?:at|behind|from|in|on|over|with) (?:the )?(?:bar|billing|counter|desk|dispatch|front"
    r"|kitchen|office|parts|phone|reception|register|sales|scheduling|service)\b"
)
_NEVER_BEFORE_A_MODAL = INTRODUCERS | TRADES | {"be", "is", "was"}
_ONE_OF_THEM = re.compile(r"(?i)\b(?:an?|every|no)\s+[a-z]+\s+$")
_INFINITIVE = re.compile(r"(?i)\b(?:ha[ds]|have|having|need(?:ed)?|want(?:ed)?|try|able) to\s+$")
_QUESTION = re.compile(rf"[^{_STOPS}]*\?")
_OWNED = re.compile(r"['\u2019]s?\s+([^\W\d_]\w+)")
_KIN = "|".join(sorted(RELATIVES))
_KIN_BEFORE = re.compile(rf"(?i)\b(?:my|our)\s+(?:\w+\s+)?(?:{_KIN})(?:-in-law)?(,|\s-|\s\()?\s*$")
_ASIDE_ENDS = re.compile(r"\s*[,)-]|\s+and (?:I|me)\b")
_KIN_AFTER = re.compile(rf"(?i)\s*[,(]\s*(?:my|our)\s+(?:\w+\s+)?(?:{_KIN})\b")
_INTRODUCTION = re.compile(r"(?i)(?:\bmy name(?: is|'s)|\bi am|\bi['\u2019]?m|^\s*this is)\s+$")
_CLOSING = re.compile(
    rf"(?i)(?:[{_STOPS}][\"\u201d)]*\s*[-\u2013\u2014~]+\s*|\w[^\n:]*\n\s*[-\u2013\u2014~]*\s*"
    r"|\b(?:sincerely|regards|signed|best wishes|yours truly|respectfully),?\s*)$"
)
_SIGNED = re.compile(
    r"(?:\s+[^\W\d_]\.?)?(?:\s+(?:and|&)\s+[^\W\d_]+)?(?:\s+[^\W\d_]\.?)?\s*\.?\s*\Z"
)


class _Surroundings:
    """A name and the words around it, looked up when they are asked for; words are folded."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text, self._start, self._end = text, start, end
        self.spelling = text[start:end]
        self.name = self.spelling.casefold()
        # The adjacent words; empty where punctuation comes between.
        word = _NEXT.match(text, end)
        self.next_spelling = word[1] if word else ""
        self.next = _plain(self.next_spelling)
        chunk = text[max(0, start - 40) : start].rstrip(_OPENERS).rpartition(" ")[2]
        last = _LAST.search(chunk)
        self.previous_spelling = last[1] if last else ""
        self.previous = _plain(self.previous_spelling)
        if last and last[2] and self.previous not in ABBREVIATIONS:  # But "Mr. Mark".
            self.previous_spelling = self.previous = ""

    @cached_property
    def before(self) -> str:
        return self._text[max(0, self._start - WINDOW) : self._start]

    @cached_property
    def after(self) -> str:
        return self._text[self._end : self._end + WINDOW]

    @cached_property
    def following(self) -> list[str]:
        return [_plain(word) for word in _WORD.findall(self.after)[:8]]

    @property
    def ends_the_text(self) -> bool:
        """Nothing follows but what may complete a signature: "Mark", "Mark R.", "Mark & Linda"."""
        return _SIGNED.match(self._text, self._end, self._end + WINDOW) is not None and (
            len(self._text) < self._end + WINDOW
        )

    @property
    def is_paired(self) -> bool:
        """ "Summer and Joy", "Rich & Dave"; capitals must tell something."""
        other = re.match(r"\s+(?:and|&)\s+([^\W\d_])", self.after)
        has_capital = other is not None and other[1].isupper()
        return has_capital and not self.is_shouted and not self.is_title_case

    @cached_property
    def is_shouted(self) -> bool:
        """Capitals all around: they tell nothing."""
        if len(self.name) == 1 or not self.spelling.isupper():
            return False
        neighbours = [*_WORD.findall(self.before)[-1:], *_WORD.findall(self.after)[:1]]
        return all(
            word.isupper() for word in neighbours if len(word) > 1 and any(map(str.isalpha, word))
        )

    @cached_property
    def is_title_case(self) -> bool:
        """All Words Are Written Like This, so that a capital says nothing."""
        words = [word for word in _WORD.findall(f"{self.before} {self.after}") if len(word) > 3]
        capitals = sum(word[0].isupper() for word in words)
        return len(words) >= 4 and capitals >= 0.75 * len(words)

    @cached_property
    def follows_a_name(self) -> bool:
        """A capitalised word within the sentence comes before, like "Cary" in "Cary Grant"."""
        word = self.previous_spelling
        earlier = self.before.rstrip(_OPENERS).removesuffix(word).rstrip()
        return (
            word[:1].isupper()
            and not word.isupper()
            and earlier[-1:].isalpha()
            and self.previous not in NOT_SURNAMES | CALLERS | INTRODUCERS | TRADES
            and not self.previous.endswith("'s")
        )


def is_that_person(text: str, start: int, end: int, *, surname: Sequence[str]) -> bool:
    """Whether the capitalised single name at `text[start:end]` means a technician.

    `surname` is the folded words after the first name in the technician's own full name; without
    any, every surname may be theirs.
    """
    if _is_part_of_something(text, start, end):
        return False
    around = _Surroundings(text, start, end)
    if around.previous in SAINTS | KIN_TITLES or _is_somebody_else(around, surname):
        return False
    if _is_a_firm_or_place(around) or _is_on_the_writers_side(around):
        return False
    return around.name not in WORDS or not _is_that_word(around)


def has_title(text: str, start: int) -> bool:
    """Whether "Dr.", "Ms." or the like comes before the name at `start`."""
    return _Surroundings(text, start, start).previous in TITLES


def _is_part_of_something(text: str, start: int, end: int) -> bool:
    """Jean-Mark, Mark-Anthony, D'Mark, mark@shop.example, Mark.com, Don't."""
    if _NEGATION.match(text, end):
        return True
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if before and before in "-'@\u2010\u2011\u2019" and text[start - 2 : start - 1].isalpha():
        chunk = re.split(r"\W", text[max(0, start - 30) : start - 1])[-1]
        if before not in _HYPHENS or chunk[:1].isupper() or chunk == "mid":
            return chunk.casefold() not in CALLERS
    if after == ".":
        return re.split(r"\W", text[end + 1 : end + 6])[0] in ADDRESS_ENDS
    if after and after in _HYPHENS and text[end + 1 : end + 2].isalpha():
        return text[end + 1].isupper() or text[start:end].casefold() in WORDS
    return after == "@"


def _plain(word: str) -> str:
    return word.replace("\u2019", "'").casefold()


# --- Somebody else --------------------------------------------------------------------------------


def _is_somebody_else(around: _Surroundings, surname: Sequence[str]) -> bool:
    """Another surname follows, or another given name comes before."""
    if around.is_shouted:
        return False
    if around.previous in GIVEN_NAMES and around.previous_spelling[:1].isupper():
        return True
    spelling = around.next_spelling
    if not surname or not spelling or around.next.removesuffix("'s") == surname[0]:
        return False
    if len(spelling) == 1:
        return spelling.isupper() and not _is_own_initial(around, surname)
    if around.next in PARTICLES:
        follows = re.match(rf"\s*{re.escape(spelling)}\s+(\w)", around.after)
        return follows is not None and follows[1].isupper()
    return (
        spelling[0].isupper()
        and not spelling.isupper()
        and around.next.removesuffix("'s") not in NOT_SURNAMES
        and not around.is_title_case
    )


def _is_own_initial(around: _Surroundings, surname: Sequence[str]) -> bool:
    """ "Mark D.", "Mark J. Dunn"; and no initial at all in "Mark I like" and "Mark A+"."""
    initial = around.next_spelling
    if initial == "I" or (initial == "A" and not re.match(r"\s*A\.", around.after)):
        return True
    middle = re.match(rf"\s*\w\.?\s+{re.escape(surname[0])}\b", around.after.casefold())
    return initial.casefold() == surname[0][:1] or middle is not None


def _is_a_firm_or_place(around: _Surroundings) -> bool:
    """ "Grant Street", "Mark's Plumbing"; but "Mark's plumbing" is the work of Mark."""
    if around.is_shouted or around.is_title_case:
        return False
    owned = _OWNED.match(around.after)
    if owned is None:
        return around.next in ESTABLISHMENTS and around.next_spelling.istitle()
    return owned[1][0].isupper() and not owned[1].isupper() and _plain(owned[1]) not in NOT_SURNAMES


def _is_on_the_writers_side(around: _Surroundings) -> bool:
    """ "My husband Mark", "Mark, my son,", "My name is Mark", "Great work!\n- Mark"."""
    before, after = around.before, around.after
    kin = _KIN_BEFORE.search(before)
    if (kin and (not kin[1] or _ASIDE_ENDS.match(after))) or _KIN_AFTER.match(after):
        return True
    if _INTRODUCTION.search(before) and after[:1] not in _APOSTROPHES:
        return True
    return around.ends_the_text and _CLOSING.search(before) is not None


# --- A word ---------------------------------------------------------------------------------------


def _is_that_word(around: _Surroundings) -> bool:
    after = around.after
    if after[:1] and after[0] in _APOSTROPHES:
        # "April '24", "Austin's best plumbers"; else a possessive is a person's.
        is_praise = any(word in SUPERLATIVES for word in around.following[:3])
        return after[1:2].isdigit() or (around.name in PLACES and is_praise)
    if _is_introduced(around):
        return False
    if around.name in COMMON:
        return not _is_personal(around)
    if not around.previous or around.is_shouted or around.is_title_case:
        return _is_word_everywhere(around) or _is_word_at_start(around)
    return _is_word_everywhere(around)


def _is_introduced(around: _Surroundings) -> bool:
    """ "Mr. Will", "Will the technician", "Thank you Will for coming"."""
    if around.next in TRADES and around.name not in COMMON:
        return True
    if around.previous in CALLERS - {"thank", "thanks"} or _AT_WORK.match(around.after):
        return True
    if not re.search(r"(?i)\bthank(?:s| you| u)?(?: so much| again)?,?\s*$", around.before):
        return False
    # But "Thanks, will use again".
    return around.next not in AFTER_MODAL | ADVERBS or around.next in {"for", "you", "i", "we"}


def _is_word_everywhere(around: _Surroundings) -> bool:
    """Uses that give themselves away, also by a capital within the sentence: "in April"."""
    name = around.name
    if (
        _is_part_of_a_phrase(around)
        or (name in MONTHS and _is_month(around))
        or (name in PLACES and _is_place(around))
        or (name in VERBS and _INFINITIVE.search(around.before))
        or (name in ADJECTIVES and around.previous in {"be", "being", "so", "too", "very"})
    ):
        return True
    if name in MODALS:
        return _is_modal(around)
    if around.previous in DETERMINERS:
        return not _has_trade(around)
    return around.follows_a_name and not around.is_shouted and not around.is_title_case


def _is_part_of_a_phrase(around: _Surroundings) -> bool:
    """ "Chase bank", "x-ray", "Jack in the box", "a real Joy"."""
    name = around.name
    if around.previous in PRECEDED.get(name, ()):
        return True
    if around.next in COMPOUNDS.get(name, frozenset()) - LOOSE:
        return True
    if name in {"max", "miles"} and (around.next.isdigit() or around.previous.isdigit()):
        return True
    if " ".join(around.following[:3]).startswith(PHRASES.get(name, ("\n",))):
        return True
    return (
        name in NOUNS
        and _ONE_OF_THEM.search(around.before) is not None
        and around.previous not in CALLERS | TRADES | INTRODUCERS
        and not _is_finite(around.next)
    )


def _is_personal(around: _Surroundings) -> bool:
    """Signs of a person at a word that seldom is one: "Price was polite", "Long explained"."""
    name = around.name
    if name in SEASONS and around.previous in MONTH_BEFORE | {"by", "for"}:
        return False
    is_introduced = around.previous in INTRODUCERS
    if not around.next:
        return is_introduced or _has_trade(around)
    if around.next in {"and", "&"}:
        has_company = around.following[1:2] in (["her"], ["his"], ["their"])
        return around.is_paired or has_company or is_introduced
    words = [word for word in around.following if not _is_adverb(word)]
    verb, rest = words[:1], words[1:2]
    if verb and verb[0] in {"is", "was"}:
        qualities = PERSONAL if name in THINGS else PERSONAL | PRAISE
        return bool(qualities.intersection(rest)) or bool(JOBS.intersection(around.following[:5]))
    return bool(DEEDS.intersection(verb)) or (is_introduced and around.next in FINITE)


def _is_word_at_start(around: _Surroundings) -> bool:
    """Uses that only a place where every word is capitalised leaves open: "Mark my words"."""
    name = around.name
    if around.next in COMPOUNDS.get(name, ()):
        return around.previous not in INTRODUCERS
    if name == "bill" and _is_invoice(around):
        return True
    if name == "hope" and around.next in OBJECTS | {"i", "not", "so"}:  # "Hope this helps"
        return True
    if name in VERBS and around.next in OBJECTS:
        return around.previous not in INTRODUCERS and not _has_trade(around)
    if name in ADJECTIVES and around.next in {"and", "but", "in", "or"}:
        return not around.is_paired and not any(
            word in DETERMINERS | TRADES | {"i", "we"} for word in around.following[1:3]
        )
    return name in NOUNS and _opens_a_noun_phrase(around)


def _opens_a_noun_phrase(around: _Surroundings) -> bool:
    """ "Rose wine", "Miles of cable": what follows the person is a verb, or says more of them."""
    if not around.next_spelling.islower() or _is_addressed(around):
        return False
    verb = next((word for word in around.following if not _is_adverb(word)), "")
    return around.next in {"of", "to"} or not (_is_finite(verb) or verb in PRAISE | OBJECTS)


def _has_trade(around: _Surroundings) -> bool:
    """ "Mark the technician", "this Will guy"."""
    return any(word in TRADES for word in around.following[:3])


def _is_month(around: _Surroundings) -> bool:
    if re.match(r"\s+(?:of )?(?:last|this|next) year\b", around.after):
        return True
    if re.match(r"\s*,?\s*(?:\d{4}|['\u2019]\d\d|\d{1,2}(?:st|nd|rd|th)?\b)", around.after):
        return True
    if re.search(r"(?:\d|\d(?:st|nd|rd|th)(?: of)?|\b[Mm]id -)\s*$", around.before):
        return True
    if (
        around.previous in MONTH_BEFORE
        or around.next in WEATHER
        or around.previous_spelling == "By"
    ):
        return True
    if around.previous in {"by", "from", "for", "to", "and", "or", "&"} or around.next in {
        "and",
        "or",
        "to",
        "&",
        "through",
    }:
        reach = 2 if around.previous in {"and", "or", "&"} else 6
        words = [_plain(word) for word in _WORD.findall(around.before)[-reach:]]
        return bool({*words, *around.following[:2]} & (MONTH_NAMES - {around.name}))
    is_weather = bool(set(around.following[:6]) & WEATHER)
    return around.next in {"was", "is", "had", "has"} and is_weather


def _is_place(around: _Surroundings) -> bool:
    if around.previous in PLACE_BEFORE or re.match(r",\s*[A-Z]{2}\b", around.after):
        return True
    if around.previous == "to" and _TRAVEL.search(around.before):
        return True
    return around.previous in {"from", "of"} and around.next not in FINITE


def _is_modal(around: _Surroundings) -> bool:
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
        return not is_apposition or _QUESTION.match(around.after) is not None
    # "Will always explained", but "will always recommend".
    verbs = (word for word in around.following if not word.isdigit() and not _is_adverb(word))
    verb = next(verbs, "")
    return verb in AFTER_MODAL or (verb != "" and not _is_finite(verb))


def _is_addressed(around: _Surroundings) -> bool:
    """ "Will thank you for coming", "Will you are the best"."""
    if around.next in {"thank", "thanks"}:
        return True
    says = around.following[1:2]
    return around.next == "you" and bool({"are", "were", "rock", "did", "made"}.intersection(says))


def _is_adverb(word: str) -> bool:
    return word in ADVERBS or (word.endswith("ly") and len(word) > 5)


def _is_finite(word: str) -> bool:
    """Whether a sentence whose subject is a name goes on with this word."""
    return word in FINITE or (len(word) > 3 and re.search(r"(?:ed|[^s]s)$", word) is not None)


def _is_invoice(around: _Surroundings) -> bool:
    """ "Bill was too high", "Bill came to $400"; but "Bill was 10 minutes early", "came at 8"."""
    if around.next == "came" and around.following[1:2] not in (["to"], ["in"], ["out"]):
        return False
    if around.next not in {"was", "is", "came", "ended", "turned", "seemed", "looked", "will"}:
        return False
    clause = re.split(rf"[{_STOPS};]", around.after, maxsplit=1)[0]
    words = [_plain(word) for word in _WORD.findall(clause)][:6]
    if TIMES.intersection(words):
        return False
    return any(word in PRICES or word == "$" or word.isdigit() for word in words[:5])
