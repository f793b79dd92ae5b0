"""Pure: tell a technician's name from the words and the strangers that look like it.

"Mark" may be Mark Dunn, a verb at the start of a sentence, or Mark Zuckerberg. The decision rests
on a few words on either side, so that it costs the same in a text of any length.

A name that is no English word is taken unless another surname, another given name or an address
claims it. A name that is also a word (`WORDS`) must not be used as that word, and where a capital
letter says nothing, at the start of a sentence or among capitals, the words around it decide.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reviews.name_words import (
    ADDRESS_ENDS,
    ADJECTIVES,
    ADVERBS,
    AFTER_MODAL,
    CALLERS,
    COMPOUNDS,
    DETERMINERS,
    FINITE,
    GIVEN_NAMES,
    INTRODUCERS,
    MODALS,
    MONTH_BEFORE,
    MONTH_NAMES,
    MONTHS,
    NOT_SURNAMES,
    NOUNS,
    OBJECTS,
    PARTICLES,
    PLACE_BEFORE,
    PLACES,
    PRICES,
    SAINTS,
    SUBJECTS,
    SUPERLATIVES,
    TRADES,
    VERBS,
    WEATHER,
    WORDS,
)

WINDOW = 90  # Characters looked at on either side.

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*|&|\$")
_HYPHENS = "-\u2010\u2011"
_APOSTROPHES = "'\u2019"
_STOPS = ".!?\u2026\u3002"


@dataclass(slots=True)
class _Surroundings:
    """A name and the words around it, folded; `next` and `previous` are the adjacent ones."""

    name: str
    before: str
    after: str
    following: list[str]
    next: str  # Empty where punctuation comes first.
    next_spelling: str
    previous: str
    previous_spelling: str
    starts_sentence: bool
    is_shouted: bool  # Capitals all around: they tell nothing.


def is_that_person(text: str, start: int, end: int, *, surname: Sequence[str]) -> bool:
    """Whether the capitalised single name at `text[start:end]` means a technician.

    `surname` is what follows the first name in the technician's own full name; without one any
    surname may be theirs.
    """
    if _is_part_of_something(text, start, end):
        return False
    around = _look_around(text, start, end)
    if around.previous in SAINTS or _is_somebody_else(
        around, [part.casefold() for part in surname]
    ):
        return False
    return around.name not in WORDS or not _is_that_word(around)


def _is_part_of_something(text: str, start: int, end: int) -> bool:
    """Jean-Mark, Mark-Anthony, mark-up, D'Mark, mark@shop.example, Mark.com."""
    before, after = text[max(0, start - 30) : start], text[end : end + 12]
    if before[-1:] and before[-1] in _HYPHENS + _APOSTROPHES + "@" and before[-2:-1].isalpha():
        word = re.split(r"[^\w]", before[:-1])[-1]
        if before[-1] not in _HYPHENS or word[:1].isupper() or word == "mid":
            return word.casefold() not in CALLERS
    if after[:1] == "@":
        return True
    if after[:1] == "." and re.split(r"\W", after[1:])[0] in ADDRESS_ENDS:
        return True
    if after[:1] and after[0] in _HYPHENS and after[1:2].isalpha():
        return after[1].isupper() or text[start:end].casefold() in WORDS
    return False


def _look_around(text: str, start: int, end: int) -> _Surroundings:
    name = text[start:end]
    before, after = text[max(0, start - WINDOW) : start], text[end : end + WINDOW]
    following = list(_WORD.finditer(after))[:8]
    first = following[0] if following else None
    adjacent = first if first and after[: first.start()].strip(" \t\n\r\xa0") == "" else None
    if adjacent and adjacent.start() == 0:
        adjacent = None
    words = list(_WORD.finditer(before))
    last = words[-1] if words else None
    gap = before[last.end() :] if last else before
    joined = last is not None and gap.strip(" \t\n\r\xa0*_\"'\u201c\u2018(").strip() == ""
    previous = last[0] if last and joined else ""
    if last and not previous and gap.strip() == "." and last[0].casefold() in CALLERS | SAINTS:
        previous = last[0]  # "Mr. Mark"
    neighbours = [match[0] for match in (last, first) if match and len(match[0]) > 1]
    return _Surroundings(
        name=name.casefold(),
        before=before,
        after=after,
        following=[_plain(match[0]) for match in following],
        next=_plain(adjacent[0]) if adjacent else "",
        next_spelling=adjacent[0] if adjacent else "",
        previous=_plain(previous),
        previous_spelling=previous,
        starts_sentence=not previous,
        is_shouted=name.isupper()
        and len(name) > 1
        and all(word.isupper() or not word.isalpha() for word in neighbours),
    )


def _plain(word: str) -> str:
    return word.replace("\u2019", "'").casefold()


# --- Somebody else --------------------------------------------------------------------------------


def _is_somebody_else(around: _Surroundings, surname: list[str]) -> bool:
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
        and not _is_title_case(around)
    )


def _is_own_initial(around: _Surroundings, surname: list[str]) -> bool:
    """ "Mark D.", "Mark J. Dunn"; and no initial at all in "Mark I like" and "Mark A+"."""
    initial = around.next_spelling
    if initial == "I" or (initial == "A" and not re.match(r"\s*A\.", around.after)):
        return True
    middle = re.match(rf"\s*\w\.?\s+{re.escape(surname[0])}\b", around.after.casefold())
    return initial.casefold() == surname[0][:1] or middle is not None


def _is_title_case(around: _Surroundings) -> bool:
    """Whether All Words Are Written Like This, so that a capital says nothing."""
    words = [word for word in _WORD.findall(around.before + " " + around.after) if len(word) > 3]
    capitals = sum(word[0].isupper() for word in words)
    return len(words) >= 4 and capitals >= 0.75 * len(words)


# --- A word ---------------------------------------------------------------------------------------


def _is_that_word(around: _Surroundings) -> bool:
    after = around.after
    if after[:1] and after[0] in _APOSTROPHES:
        # "April '24", "Austin's best plumbers"; else a possessive is a person's.
        is_praise = any(word in SUPERLATIVES for word in around.following[:3])
        return after[1:2].isdigit() or (around.name in PLACES and is_praise)
    if _is_introduced(around):
        return False
    if around.starts_sentence or around.is_shouted or _is_title_case(around):
        return _is_word_everywhere(around) or _is_word_at_start(around)
    return _is_word_everywhere(around)


def _is_introduced(around: _Surroundings) -> bool:
    """ "Mr. Will", "Will the technician", "Thank you Will for coming"."""
    if around.previous in CALLERS or around.next in TRADES:
        return True
    if not re.search(r"(?i)\bthank(?:s| you| u)?(?: so much| again)?,?\s*$", around.before):
        return False
    # But "Thanks, will use again".
    return around.next not in AFTER_MODAL | ADVERBS or around.next in {"for", "you", "i", "we"}


def _is_word_everywhere(around: _Surroundings) -> bool:
    """Uses that give themselves away, also by a capital within the sentence: "in April"."""
    name = around.name
    if name in MONTHS and _is_month(around):
        return True
    if name in PLACES and _is_place(around):
        return True
    if name in MODALS:
        return _is_modal(around)
    if around.previous in DETERMINERS:
        return not _has_trade(around)
    return name == "hope" and around.next in COMPOUNDS[name]


def _is_word_at_start(around: _Surroundings) -> bool:
    """Uses that only a place where every word is capitalised leaves open: "Mark my words"."""
    name = around.name
    if around.next in COMPOUNDS.get(name, ()):
        return True
    if name == "bill" and _is_invoice(around):
        return True
    if name in VERBS and around.next in OBJECTS:
        return not _has_trade(around)
    if name in ADJECTIVES and around.next in {"and", "but", "in", "or"}:
        return not any(word in DETERMINERS | TRADES | {"i", "we"} for word in around.following[1:3])
    return name in NOUNS and around.next in {"of", "to"}


def _has_trade(around: _Surroundings) -> bool:
    """ "Mark the technician", "this Will guy"."""
    return any(word in TRADES for word in around.following[:3])


def _is_month(around: _Surroundings) -> bool:
    if re.match(r"\s*,?\s*(?:\d{4}|['\u2019]\d\d|\d{1,2}(?:st|nd|rd|th)?\b)", around.after):
        return True
    if re.search(r"(?:\d|\d(?:st|nd|rd|th)(?: of)?)\s*$", around.before):
        return True
    if around.previous in MONTH_BEFORE or around.next in WEATHER:
        return True
    if around.previous in {"by", "from", "for", "to", "and", "or", "&"} or around.next in {
        "and",
        "or",
        "to",
        "&",
        "through",
    }:
        words = [_plain(word) for word in _WORD.findall(around.before)[-2:]]
        return bool({*words, *around.following[:2]} & (MONTH_NAMES - {around.name}))
    is_weather = bool(set(around.following[:6]) & WEATHER)
    return around.next in {"was", "is", "had", "has"} and is_weather


def _is_place(around: _Surroundings) -> bool:
    if around.previous in PLACE_BEFORE or re.match(r",\s*[A-Z]{2}\b", around.after):
        return True
    return around.previous in {"from", "of"} and around.next not in FINITE


def _is_modal(around: _Surroundings) -> bool:
    """ "Will use again", "May I suggest", also without a full stop before."""
    if not around.next:  # "Will, our technician", "ask for Will!"
        return around.previous in SUBJECTS
    if around.previous in INTRODUCERS or around.previous in TRADES:
        return False
    if around.previous in SUBJECTS or around.next in AFTER_MODAL:
        return not (around.next in DETERMINERS | {"our"} and _has_trade(around))
    # "Will always explained", but "will always recommend".
    verb = next((word for word in around.following if word not in ADVERBS), "")
    if verb in AFTER_MODAL:
        return True
    is_finite = verb in FINITE or (len(verb) > 3 and re.search(r"(?:ed|[^s]s)$", verb) is not None)
    return not is_finite and verb[:1].isalpha()


def _is_invoice(around: _Surroundings) -> bool:
    if around.next not in {"was", "is", "came", "ended", "turned", "seemed", "looked", "will"}:
        return False
    clause = re.split(rf"[{_STOPS};]", around.after, maxsplit=1)[0]
    words = [_plain(word) for word in _WORD.findall(clause)][:5]
    return any(word in PRICES or word == "$" or word.isdigit() for word in words)
