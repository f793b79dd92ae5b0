"""People, services and areas of a roster, with all their names."""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from review_analysis.name_matching import lists
from review_analysis.name_matching.nicknames import GIVEN_NAMES, NICKNAMES, SPELLINGS
from review_analysis.text import fold, unaccented

Kind = Literal["person", "service", "area"]
KINDS: tuple[Kind, ...] = ("person", "service", "area")


@dataclass(frozen=True, slots=True)
class PersonEntry:
    """A person, recognised in texts of `active_from`..`active_to` (None: open)."""

    slug: str
    name: str
    aliases: tuple[str, ...] = ()
    active_from: dt.date | None = None
    active_to: dt.date | None = None
    role: str | None = None  # Like "stylist"; not used for matching.

    @property
    def _spelling(self) -> str:
        """The name, in title case if it was entered in lower case."""
        return self.name.title() if self.name.islower() else self.name

    @property
    def words(self) -> list[str]:
        """Words of the name without titles and degrees, like "Dr." and "DDS"."""
        words = self._spelling.replace(",", " ").split()
        while len(words) > 1 and _bare(words[0]) in lists.TITLES:
            del words[0]
        while len(words) > 1 and _bare(words[-1]) in lists.SUFFIXES:
            del words[-1]
        return words

    @property
    def title(self) -> str:
        """Title of a person: "dr" of "Dr. Bell"; empty if the name has none."""
        title = _bare(self._spelling.partition(" ")[0])
        return title if title in lists.TITLES else ""

    @property
    def is_surname_only(self) -> bool:
        """Whether the name consists of a title and a surname: "Dr. Bell"."""
        words = self._spelling.split()
        return (
            len(self.words) == 1 < len(words)
            and _bare(words[0]) in lists.FORMAL_TITLES
            and fold(self.words[0]) not in GIVEN_NAMES | NICKNAMES.keys()
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Full name, first name and aliases."""
        words = [] if self.is_surname_only else self.words
        spoken = (" ".join(words), *words[:1]) if words else ()
        return tuple(dict.fromkeys((self._spelling, *spoken, *self.aliases)))

    @property
    def short_forms(self) -> tuple[str, ...]:
        """Short forms and other spellings of the name: "Mike", "Jose", "Mark R."."""
        if not self.words or self.is_surname_only:
            return ()
        first, *rest = self.words
        plain = fold(unaccented(first))
        nicknames = NICKNAMES.get(plain, ())
        spellings = (SPELLINGS.get(name, ()) for name in (plain, *nicknames))
        forms = [form.capitalize() for form in (*nicknames, *chain.from_iterable(spellings))]
        forms += [unaccented(name) for name in (first, self._spelling)]
        forms += _joint_forms(first, *rest[:1])
        if len(first) == 2 and first.isupper():
            forms.append(f"{first[0]}.{first[1]}.")
        if rest:
            forms.append(f"{first} {rest[-1][0]}.")
        return tuple(dict.fromkeys(forms))

    @property
    def surname(self) -> str:
        """Words after the first name: "Bell", "de la Cruz"; empty for a single name."""
        return next(iter(self.surnames), "")

    @property
    def surnames(self) -> tuple[str, ...]:
        """The surname and other spellings of it: "Delacruz" and "Cruz", "OMalley"."""
        words = self.words if self.is_surname_only else self.words[1:]
        start = len(words) - 1
        while start > 0 and fold(words[start - 1]) in lists.PARTICLES:
            start -= 1
        surname = " ".join(words[max(start, 0) :])
        joined = re.sub(r"[\s'\u2019]", "", surname).capitalize()
        apart = re.sub(r"['\u2019]", " ", surname)
        return tuple(dict.fromkeys(filter(None, (surname, joined, apart, *words[-1:]))))

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


def _joint_forms(first: str, *second: str) -> Iterator[str]:
    """Yield spellings of a double name: "Annemarie", "Anne Marie", "Dangelo"."""
    given, *others = first.replace("'", "-").replace("\u2019", "-").split("-")
    if not others:
        others = [word for word in second if fold(word) in GIVEN_NAMES]
    for other in others[:1]:
        for spelling in (other, *SPELLINGS.get(fold(other), ())):
            yield f"{given} {spelling.capitalize()}"
            yield f"{given}{spelling}".capitalize()


def _bare(word: str) -> str:
    return fold(word).replace(".", "")


# --- Unambiguous names ----------------------------------------------------------------------------


GAP = r"[\s\-\u2010-\u2013]"  # White space, hyphens, short dashes.
SEPARATOR = re.compile(f"{GAP}+")


def name_key(name: str) -> str:
    """Normalise a name for comparison."""
    return SEPARATOR.sub(" ", fold(name)).strip()


def claims_of(entries: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str | None]:
    """Return the slug of each name, None for a name of several entries."""
    claims: dict[str, str | None] = {}
    for slug, names in entries:
        for key in dict.fromkeys(map(name_key, names)):
            claims[key] = slug if claims.get(key, slug) == slug else None
    return claims


def spoken_names(
    people: Sequence[PersonEntry], claims: dict[str, str | None]
) -> Iterator[tuple[PersonEntry, str, bool]]:
    """Yield the unambiguous names of each person, and whether a name needs a title."""
    short_forms = claims_of((person.slug, person.short_forms) for person in people)
    surnames = claims_of((person.slug, person.surnames) for person in people)
    for person in people:
        for name in person.names:
            if claims.get(name_key(name)) == person.slug:
                yield person, name, False
        for form in person.short_forms:
            if name_key(form) not in claims and short_forms[name_key(form)] == person.slug:
                yield person, form, False
            elif person.surname and " " not in form and form not in person.names:
                # The surname distinguishes two people with the same short form.
                yield person, f"{form} {person.surname}", False
        for surname in person.surnames:
            key = name_key(surname)
            if surnames[key] == person.slug and claims.get(key, person.slug) == person.slug:
                yield person, surname, True
