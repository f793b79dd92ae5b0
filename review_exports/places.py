"""Reviews of several places in one file, of which only those of the business are taken."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from review_exports.formats.base import (
    Fields,
    Format,
    RowSkipped,
    fold_name,
    fold_names,
    is_blank,
)
from review_exports.readers.json_text import PLACE_ID_MEMBER, PLACE_MEMBER
from review_exports.records import FileRefused, PlaceUnclear, Question, ReadWarning, Subject
from review_exports.values import shown
from review_exports.vocabulary import load

_VOCABULARY = load("vocabulary/places.toml")
_NAMES = fold_names(f"{PLACE_MEMBER},{_VOCABULARY['names']}")
_IDS = fold_names(f"{PLACE_ID_MEMBER},{_VOCABULARY['ids']}")
_WEAK = frozenset(fold_names(_VOCABULARY["weak"]))
_ABOVE = frozenset(map(fold_name, (PLACE_MEMBER, PLACE_ID_MEMBER)))
_IN_RESOURCE = re.compile(r"\b((?:locations|places)/[^/]+)/reviews/")
_TAKEN, _OTHER = "ours", "other"
PLACE_ANSWERS = (_TAKEN, _OTHER)


@dataclass(frozen=True, slots=True)
class _Place:
    """A place as the rows name it; either may be empty."""

    name: str
    id: str

    @property
    def identity(self) -> str:
        return fold_name(self.id or self.name)


class Places:
    """The places of one file. Raises `PlaceUnclear` at the second one, unless a person has said
    before which are the business's own.

    `ours` are the places of the business by their name or id, all others being left out; `known`
    has the folded names and ids of which a person said before that they are ours, or other ones.
    """

    def __init__(
        self,
        format_: Format,
        *,
        names: Mapping[str, str],
        ours: frozenset[str],
        known: Mapping[str, str],
    ) -> None:
        read = format_.review_names()
        self._ours = frozenset(map(fold_name, ours))
        self._given = ours
        self._known = known
        columns = dict(format_.columns)
        for field, synonyms in (("_place", _NAMES), ("_place_id", _IDS)):
            found = next((name for name in synonyms if name in names and name not in read), None)
            if field not in columns and found:
                columns[field] = (found,)
            elif found in _ABOVE:
                columns[field] = (*columns[field], found)
        if "place" in columns:  # As a person has said.
            columns["_place"] = columns.pop("place")
        self._is_weak = not _WEAK.isdisjoint(columns.get("_place", ()))
        self._has_resources = "_resource" in columns
        self.is_named = self._has_resources or not {"_place", "_place_id"}.isdisjoint(columns)
        self.format = replace(format_, columns=columns)
        self._met: dict[str, bool] = {}  # Identity -> whether its reviews are taken.
        self._named: dict[str, bool] = {}  # The same by id or name, as the file spells it.
        self._undecided = False
        self._taken_last: tuple[Any, ...] = ()
        self._left_out: Counter[str] = Counter()

    def look_at(self, rows: Callable[[], Iterator[Fields]]) -> None:
        """Keep access to all rows, to count the places; raises `PlaceUnclear`, `FileRefused`."""
        self._rows = rows
        if self._ours and not any(
            self._is_ours(place) for place in map(self._place, rows()) if place.identity
        ):
            raise FileRefused("place_unknown", self._unknown())

    def decide_early(self, rows: Iterator[Fields]) -> None:
        """Decide on the places of the first rows, so as to ask before anything is read."""
        for place in map(self._place, rows):
            if (identity := place.identity) and identity not in self._met:
                self._decide(place, identity)

    def _unknown(self) -> str:
        names = ", ".join(f"{label} ({count:,})" for label, _, count in self._counted()[:20])
        what = f"The file names these: {names}." if names else "The file names no place at all."
        given = ", ".join(map(shown, sorted(self._given)))
        return f"No review of the file is of the place {given}. {what}"

    def _place(self, fields: Fields) -> _Place:
        name, place_id = _text(fields.get("_place")), _text(fields.get("_place_id"))
        if self._has_resources and (found := _IN_RESOURCE.search(_text(fields["_resource"]))):
            place_id = place_id or found[1]
        return _Place(name, place_id)

    def apply(self, fields: Fields) -> None:
        """Raise `RowSkipped` for a review of another place."""
        names = (fields.get("_place"), fields.get("_place_id"), fields.get("_resource"))
        if names == self._taken_last:  # Most rows are of the place of the row above.
            return
        place = self._place(fields)
        if not (identity := place.identity):
            return
        is_taken = self._met.get(identity)
        if is_taken is None:
            is_taken = self._decide(place, identity)
        if not is_taken:
            self._left_out[place.name or place.id] += 1
            raise RowSkipped("other_place", "This review is of another place; it is left out.")
        self._taken_last = names

    def _decide(self, place: _Place, identity: str) -> bool:
        if self._ours:
            is_taken = self._is_ours(place)
        else:
            answer = self._answer(place)
            self._undecided = self._undecided or answer is None
            if self._undecided and self._met and self._is_of_places():
                raise PlaceUnclear(self.question())
            is_taken = answer != _OTHER
        self._met[identity] = is_taken
        self._named[place.id or place.name] = is_taken
        return is_taken

    def _is_of_places(self) -> bool:
        """Whether the column is one of places, rather than of the customers' own companies."""
        if self._is_weak:
            counted = self._counted()
            total = sum(count for _, _, count in counted)
            self._is_weak = len(counted) * 2 > total
        return not self._is_weak

    def _is_ours(self, place: _Place) -> bool:
        tokens = {fold_name(place.name), fold_name(place.id), fold_name(_both(place))}
        return not self._ours.isdisjoint(tokens - {""})

    def _answer(self, place: _Place) -> str | None:
        tokens = (_both(place), place.id, place.name)
        return next((self._known[t] for t in map(fold_name, tokens) if t in self._known), None)

    def _counted(self) -> list[tuple[str, _Place, int]]:
        """Every place of the file with its label and count, the most frequent first."""
        counts: Counter[str] = Counter()
        places: dict[str, _Place] = {}
        for place in map(self._place, self._rows()):
            if identity := place.identity:
                counts[identity] += 1
                places.setdefault(identity, place)
        names = Counter(place.name for place in places.values())
        return [
            (_both(place) if names[place.name] > 1 else place.name or place.id, place, count)
            for identity, count in counts.most_common()
            for place in (places[identity],)
        ]

    def question(self) -> Question:
        """Which of the places are the business's own."""
        subjects = tuple(
            Subject(name=label, count=count, samples=(place.id,) if place.id else ())
            for label, place, count in self._counted()
        )
        return Question(kind="place", subjects=subjects)

    def only_place(self) -> str:
        """Id, or else name, of the one place whose reviews are taken; empty for none or several."""
        taken = [place for place, is_taken in self._named.items() if is_taken]
        return taken[0] if len(taken) == 1 else ""

    def answers(self) -> dict[str, str]:
        """Place -> ours or other for every place of the file, by the places given."""
        if not self._ours:
            return {}
        answers: dict[str, str] = {}
        for label, place, _ in self._counted():
            answer = _TAKEN if self._is_ours(place) else _OTHER
            answers.update(dict.fromkeys(filter(None, (label, place.id)), answer))
        return answers

    def warnings(self) -> Iterator[ReadWarning]:
        if self._left_out:
            which = ", ".join(
                f"{shown(name)}: {count:,}" for name, count in self._left_out.most_common(10)
            )
            yield ReadWarning(
                code="other_places_left_out",
                message=f"Reviews of other places, left out: {which}.",
            )


def _both(place: _Place) -> str:
    return f"{place.name} ({place.id})" if place.name and place.id else ""


def _text(value: Any) -> str:
    if is_blank(value) or isinstance(value, dict | list | bool):
        return ""
    return " ".join(str(value).split())[:200]
