"""Pure: which technicians, services and service areas a text names, and where.

A `Roster` is compiled once and reads any number of texts. Reading costs one substring search per
distinct first word of the roster's terms; only where one occurs is the place looked at closely, so
that a text of any length takes time in proportion to its length.

- A term matches whole words. Between the words of a term any white space or hyphens may stand.
- Names match capitalised or in capitals; an alias written in lower case matches in any case.
- A technician also goes by the usual short forms of the first name, by the spelling without
  accents, by "Dr." or "Ms." with the surname, and by the first name with the surname's initial,
  unless another technician is called so. Filters know none of these.
- Services match in any case, in the singular or plural; a trailing `*` stands for any ending.
- A name that two technicians go by names neither of them.
- Composed and decomposed letters are the same (NFC).
"""

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple

from reviews.name_words import FORMAL_TITLES, GIVEN_NAMES, PARTICLES, SUFFIXES, TITLES
from reviews.namesakes import has_title, is_that_person
from reviews.nicknames import NICKNAMES
from reviews.text import clusters, compose, fold

Kind = Literal["technician", "service", "area"]
KINDS: tuple[Kind, ...] = ("technician", "service", "area")
RULES = 4  # Rises with every change of what is matched, so that stored mentions are matched anew.
# A text that says one word more often than this is no review, and is looked at no further.
MAX_PLACES = 2_000


@dataclass(frozen=True, slots=True)
class TechnicianEntry:
    """A person; outside `active_from`..`active_to` (open when None) texts do not name them."""

    slug: str
    name: str
    aliases: tuple[str, ...] = ()
    active_from: dt.date | None = None
    active_to: dt.date | None = None

    @property
    def _spelling(self) -> str:
        """The name as texts write it, also where it was entered in lower case."""
        return self.name.title() if self.name.islower() else self.name

    @property
    def words(self) -> list[str]:
        """The name without titles and degrees: "Dr. April Bell, DDS" is April Bell."""
        words = self._spelling.replace(",", " ").split()
        while len(words) > 1 and _bare(words[0]) in TITLES:
            del words[0]
        while len(words) > 1 and _bare(words[-1]) in SUFFIXES:
            del words[-1]
        return words

    @property
    def is_surname_only(self) -> bool:
        """ "Dr. Bell": nobody is called Bell alone."""
        words = self._spelling.split()
        return (
            len(self.words) == 1 < len(words)
            and _bare(words[0]) in FORMAL_TITLES
            and fold(self.words[0]) not in GIVEN_NAMES
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Everything the person goes by: full name, first name, aliases."""
        words = [] if self.is_surname_only else self.words
        spoken = (" ".join(words), *words[:1]) if words else ()
        return tuple(dict.fromkeys((self._spelling, *spoken, *self.aliases)))

    @property
    def short_forms(self) -> tuple[str, ...]:
        """What texts call the person beside the names: "Mike", "Jose", "Mark R."."""
        if not self.words or self.is_surname_only:
            return ()
        first, *rest = self.words
        forms = [form.capitalize() for form in NICKNAMES.get(fold(first), ())]
        forms += [_unaccented(name) for name in (first, self._spelling)]
        if rest and rest[-1][0] not in "AI":  # But "Mark, I" and "Mark, a".
            forms.append(f"{first} {rest[-1][0]}.")
        return tuple(dict.fromkeys(forms))

    @property
    def surname(self) -> str:
        """ "Bell", "de la Cruz"; empty for somebody with one name."""
        words = self.words if self.is_surname_only else self.words[1:]
        start = len(words) - 1
        while start > 0 and fold(words[start - 1]) in PARTICLES:
            start -= 1
        return " ".join(words[max(start, 0) :])

    def is_active(self, date: dt.date) -> bool:
        return (self.active_from is None or self.active_from <= date) and (
            self.active_to is None or date <= self.active_to
        )


@dataclass(frozen=True, slots=True)
class ServiceEntry:
    slug: str
    label: str
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AreaEntry:
    slug: str
    name: str
    aliases: tuple[str, ...] = ()


class Found(NamedTuple):
    """One mention: `text[start:end]`, in code points of the text as it was given."""

    kind: Kind
    slug: str
    start: int
    end: int


class Roster:
    """Every entry a text can name. Immutable; safe to share between threads."""

    def __init__(
        self,
        technicians: Iterable[TechnicianEntry] = (),
        services: Iterable[ServiceEntry] = (),
        areas: Iterable[AreaEntry] = (),
    ) -> None:
        self.technicians = tuple(technicians)
        self.services = tuple(services)
        self.areas = tuple(areas)
        self._ids: dict[Kind, dict[str, str]] = {
            "technician": {_key(entry.slug): entry.slug for entry in self.technicians},
            "service": {_key(entry.slug): entry.slug for entry in self.services},
            "area": {_key(entry.slug): entry.slug for entry in self.areas},
        }
        self._names: dict[Kind, dict[str, str | None]] = {
            "technician": _claims((entry.slug, entry.names) for entry in self.technicians),
            "service": _claims((entry.slug, (entry.label,)) for entry in self.services),
            "area": _claims((entry.slug, (entry.name, *entry.aliases)) for entry in self.areas),
        }
        self._searches = [(search.needle, search) for search in _searches(self._terms())]

    # --- What a text names ------------------------------------------------------------------------

    def find(self, text: str, *, date: dt.date | None = None) -> list[Found]:
        """Every mention in order of its place. Where two of a kind overlap the earlier, then the
        longer one stands.

        Services or areas that share a term share its places too. Without a date everybody counts
        as active.
        """
        nfc, origins = (text, None) if text.isascii() else _composed(text)
        folded = fold(nfc)
        searches = [search for needle, search in self._searches if needle in folded]
        if not searches:
            return []
        read = _Text(nfc, folded)
        spans: list[tuple[int, int, _Term]] = []
        for needle, head, terms in searches:
            # "the" of "the Bay" stands everywhere and is dismissed at once.
            limit = MAX_PLACES if needle == head else None
            for start in islice(_word_starts(folded, head), limit):
                for term in terms:
                    if date is not None and term.person and not term.person.is_active(date):
                        continue
                    if (span := term.match(read, start)) is not None:
                        spans.append((*span, term))
        return [
            Found(term.kind, term.slug, *_given(origins, start, end))
            for start, end, term in _settled(spans)
        ]

    def match(
        self,
        text: str,
        *,
        date: dt.date | None = None,
        technicians: Sequence[str] = (),
        services: Sequence[str] = (),
    ) -> list[tuple[Kind, str]]:
        """The distinct entries that the text or the given names mean: by kind, then by slug.

        The names are those that came beside the text, in columns of their own. They hold whatever
        the date, since somebody entered them on purpose.
        """
        mentioned = {(found.kind, found.slug) for found in self.find(text, date=date)}
        mentioned.update(self._named("technician", technicians))
        mentioned.update(self._named("service", services))
        return sorted(mentioned, key=lambda mention: (KINDS.index(mention[0]), mention[1]))

    def _named(self, kind: Kind, names: Sequence[str]) -> Iterator[tuple[Kind, str]]:
        for name in names:
            if slug := self._resolve(kind, name):
                yield kind, slug
            else:  # Like "Mark D." or "Drain cleaning (emergency)".
                yield from ((kind, f.slug) for f in self.find(name) if f.kind == kind)

    # --- Whom a name alone means ------------------------------------------------------------------

    def resolve_technician(self, name: str) -> str | None:
        """The technician called `name`: id, full name, alias, or a first name that is unique."""
        return self._resolve("technician", name)

    def resolve_service(self, name: str) -> str | None:
        """The service whose id or label is `name`."""
        return self._resolve("service", name)

    def resolve_area(self, name: str) -> str | None:
        """The service area whose id, name or alias is `name`."""
        return self._resolve("area", name)

    def _resolve(self, kind: Kind, name: str) -> str | None:
        key = _key(name)
        return self._ids[kind].get(key) or self._names[kind].get(key)

    def _terms(self) -> Iterator["_Term"]:
        for person, name, is_titled in _spoken(self.technicians, self._names["technician"]):
            yield _Term("technician", person.slug, name, person, is_titled=is_titled)
        for service in self.services:
            for keyword in dict.fromkeys((service.label, *service.keywords)):
                yield _Term("service", service.slug, keyword)
        for area in self.areas:
            for name in dict.fromkeys((area.name, *area.aliases)):
                yield _Term("area", area.slug, name)


# --- Names as keys --------------------------------------------------------------------------------

_GAP = r"[\s\-\u2010-\u2013]"  # White space, hyphens, short dashes.
_SEPARATOR = re.compile(f"{_GAP}+")


def _key(name: str) -> str:
    """What two spellings of one name have in common."""
    return _SEPARATOR.sub(" ", fold(name)).strip()


def _claims(entries: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str | None]:
    """Which slug each name means; None for a name that several claim."""
    claims: dict[str, str | None] = {}
    for slug, names in entries:
        for key in dict.fromkeys(map(_key, names)):
            claims[key] = slug if claims.get(key, slug) == slug else None
    return claims


def _spoken(
    people: Sequence[TechnicianEntry], claims: dict[str, str | None]
) -> Iterator[tuple[TechnicianEntry, str, bool]]:
    """What texts call each person, and whether that needs a title before it.

    A name holds before a short form, and what several are called means none of them.
    """
    short_forms = _claims((person.slug, person.short_forms) for person in people)
    surnames = _claims((person.slug, (person.surname,)) for person in people)
    for person in people:
        for name in person.names:
            if claims.get(_key(name)) == person.slug:
                yield person, name, False
        for form in person.short_forms:
            if _key(form) not in claims and short_forms[_key(form)] == person.slug:
                yield person, form, False
        key = _key(person.surname)
        if surnames[key] == person.slug and claims.get(key, person.slug) == person.slug:
            yield person, person.surname, True


def _bare(word: str) -> str:
    return fold(word).replace(".", "")


def _unaccented(name: str) -> str:
    letters = unicodedata.normalize("NFD", name)
    return compose("".join(char for char in letters if unicodedata.category(char) != "Mn"))


# --- Terms and the places they stand at -----------------------------------------------------------

_APOSTROPHES = "'`\u00b4\u02bc\u2018\u2019\uff07"
# Scripts that write words without spaces between them: no boundary is needed on their side.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)


_BREAKS = frozenset(" \n.,!?'-")  # The usual ones, decided at once.


def _is_word(char: str) -> bool:
    """Whether `char` continues a word: a letter, digit, underscore or combining mark."""
    if char.isalnum() or char == "_":
        return True
    # Variation selectors follow emoji and are nobody's letter.
    return (
        char > "\u02ff"
        and unicodedata.category(char) in {"Mn", "Mc"}
        and not ("\ufe00" <= char <= "\ufe0f")
    )


def _joined(text: str, index: int) -> bool:
    """Whether the characters on both sides of `index` belong to one word."""
    if not 0 < index < len(text) or text[index] in _BREAKS or text[index - 1] in _BREAKS:
        return False
    if not _is_word(text[index]) or not _is_word(text[index - 1]):
        return False
    return not (_UNSPACED.match(text[index]) or _UNSPACED.match(text[index - 1])) or (
        unicodedata.category(text[index])[0] == "M"
    )


def _word_starts(folded: str, head: str) -> Iterator[int]:
    start = folded.find(head)
    while start >= 0:
        if not _joined(folded, start):
            yield start
        start = folded.find(head, start + 1)


class _Term:
    """One name or keyword of an entry, compiled."""

    __slots__ = (
        "capitals",
        "head",
        "is_open",
        "is_titled",
        "kind",
        "needle",
        "pattern",
        "person",
        "slug",
        "surname",
    )

    def __init__(
        self,
        kind: Kind,
        slug: str,
        spelling: str,
        person: TechnicianEntry | None = None,
        *,
        is_titled: bool = False,
    ) -> None:
        spelling = compose(spelling).strip()
        self.kind = kind
        self.slug = slug
        self.person = person
        self.is_titled = is_titled
        self.surname = list(map(fold, person.words[1:])) if person else []
        self.is_open = kind == "service" and spelling.endswith("*")
        spelling = spelling.rstrip("*").rstrip() if self.is_open else spelling
        while spelling and not spelling[0].isalnum():
            spelling = spelling[1:]
        self.capitals = _capitals(spelling) if kind != "service" else ()
        folded = fold(spelling)
        # The parts that every spelling of the term shares: a quick search looks for the first, or
        # where that is an initial, "the" or the like for the longest.
        shared = re.split(f"{_GAP}|[&.{_APOSTROPHES}]", folded)
        self.head = shared[0]
        self.needle = self.head if len(self.head) > 3 else max(reversed(shared), key=len)
        self.pattern = re.compile(_pattern(folded, kind, is_open=self.is_open))

    def match(self, text: "_Text", start: int) -> tuple[int, int] | None:
        """The span in the composed text of this term, if it stands at `start` of the folded one."""
        found = self.pattern.match(text.folded, start)
        if found is None:
            return None
        end = found.end()
        while self.is_open and end < len(text.folded) and _is_word(text.folded[end]):
            end += 1  # Beyond accents, which are no letters of their own.
        if not self.is_open and _joined(text.folded, end):
            # The work of "Marks'" is that of Mark.
            follows = text.folded[end : end + 2]
            if self.kind == "service" or follows[:1] != "s" or follows[1:] not in set(_APOSTROPHES):
                return None
        span = text.unfolded(start, end)
        return span if span is not None and self._is_meant(text.nfc, *span) else None

    def _is_meant(self, text: str, start: int, end: int) -> bool:
        """Whether the words at `text[start:end]` are this entry's name, by capitals and context."""
        if self.capitals and not self._is_capitalised(text[start:end]):
            return False
        if self.is_titled:
            return has_title(text, start)
        is_alone = self.person is not None and self.capitals == (True,)
        return not is_alone or is_that_person(text, start, end, surname=self.surname)

    def _is_capitalised(self, spelling: str) -> bool:
        if len(self.capitals) == 1:
            return not self.capitals[0] or spelling[0] == spelling[0].upper()
        words = _SEPARATOR.split(spelling)
        return all(
            word[0] == word[0].upper()
            for word, capital in zip(words, self.capitals, strict=False)
            if capital
        )


def _capitals(name: str) -> tuple[bool, ...]:
    """For each word of a name whether a text must capitalise it."""
    words = [word for word in _SEPARATOR.split(name) if word]
    return tuple(word[0] != word[0].lower() for word in words)


def _pattern(folded: str, kind: Kind, *, is_open: bool) -> str:
    parts: list[str] = []
    for piece in re.findall(f"{_GAP}+|[{_APOSTROPHES}]|.", folded):
        if _SEPARATOR.fullmatch(piece):
            # A keyword like "tune-up" is also written "tuneup".
            least = 0 if kind == "service" and not piece.isspace() else 1
            parts.append(f"{_GAP}{{{least},12}}")
        elif piece in _APOSTROPHES:
            parts.append(f"[{_APOSTROPHES}]")
        elif piece == "&":
            parts.append("(?:&|and)")
        elif piece == ".":
            parts.append(r"\.?")
        else:
            parts.append(re.escape(piece))
    if is_open:
        parts.append(r"\w*")
    elif kind == "service":
        parts.append("(?:es)?" if folded.endswith(("s", "x", "z", "ch", "sh")) else "s?")
    return "".join(parts)


class _Search(NamedTuple):
    """Terms that begin alike. A text without the needle holds none of them."""

    needle: str
    head: str
    terms: list[_Term]


def _searches(terms: Iterable[_Term]) -> list[_Search]:
    searches: dict[tuple[str, str], _Search] = {}
    for term in terms:
        if term.head:  # A term without letters or digits means nothing.
            key = (term.needle, term.head)
            searches.setdefault(key, _Search(*key, [])).terms.append(term)
    return list(searches.values())


def _settled(spans: list[tuple[int, int, _Term]]) -> Iterator[tuple[int, int, _Term]]:
    """The spans that stand, in the order of their places."""
    if len(spans) == 1:
        return iter(spans)
    return _without_overlaps(spans)


def _without_overlaps(spans: list[tuple[int, int, _Term]]) -> Iterator[tuple[int, int, _Term]]:
    spans.sort(key=lambda span: (span[0], -span[1], KINDS.index(span[2].kind), span[2].slug))
    last: dict[Kind, tuple[int, int]] = {}
    seen: tuple[int, int, str] | None = None
    for start, end, term in spans:
        before = last.get(term.kind, (0, 0))
        if (start < before[1] and (start, end) != before) or (start, end, term.slug) == seen:
            continue
        last[term.kind] = (start, end)
        seen = (start, end, term.slug)
        yield start, end, term


# --- Positions ------------------------------------------------------------------------------------


class _Text:
    """A text in its composed and its folded form. Folding may lengthen it: ß becomes ss."""

    __slots__ = ("_positions", "folded", "nfc")

    def __init__(self, nfc: str, folded: str) -> None:
        self.nfc = nfc
        self.folded = folded
        self._positions: list[int] | None = None
        if len(folded) != len(nfc):
            self._positions = [index for index, char in enumerate(nfc) for _ in char.casefold()] + [
                len(nfc)
            ]

    def unfolded(self, start: int, end: int) -> tuple[int, int] | None:
        """The span in the composed text, or None when it would cut a letter in two."""
        if self._positions is None:
            return start, end
        if start and self._positions[start - 1] == self._positions[start]:
            return None
        if self._positions[end - 1] == self._positions[end]:
            return None
        return self._positions[start], self._positions[end]


def _composed(text: str) -> tuple[str, list[int] | None]:
    """The text in NFC, and where each of its characters began, if it was not composed before."""
    if unicodedata.is_normalized("NFC", text):
        return text, None
    composed: list[str] = []
    origins: list[int] = []
    for start, end in clusters(text):
        letters = unicodedata.normalize("NFC", text[start:end])
        composed.append(letters)
        origins += [min(start + offset, end) for offset in range(len(letters))]
    return "".join(composed), [*origins, len(text)]


def _given(origins: list[int] | None, start: int, end: int) -> tuple[int, int]:
    return (start, end) if origins is None else (origins[start], origins[end])
