"""Places that the rows of a file are of, and which of them are the business's own."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from review_exports.formats.base import fold_name, is_blank
from review_exports.options import ReadOptions
from review_exports.rows import Rows
from review_exports.shapes import Question, question
from review_exports.values import shown

_IN_RESOURCE = re.compile(r"\b((?:locations|places)/[^/]+)/reviews/")
_FIELDS = frozenset({"_place", "_place_id", "_resource"})


class Places:
    """The places of one file: the business's own by its name or by a person's answer.

    `decisions` has folded names and ids; `question` is asked about the others. The only place of a
    file is taken where no other name is known.
    """

    def __init__(self, rows: Rows, options: ReadOptions) -> None:
        self.found: list[tuple[str, int, bool | None]] = []  # Name, rows, whether it is ours.
        self.decisions: dict[str, bool] = {}
        self.question: Question | None = None
        if rows.provided_fields().isdisjoint(_FIELDS):
            return
        counted = Counter(
            place
            for _, fields, _ in rows
            if isinstance(fields, dict) and any(place := _place_of(fields))
        )
        confirmed: dict[str, bool] = {}
        for confirmation in options.confirmations.values():
            confirmed |= _folded(confirmation.places)
        named = {fold_name(name): True for name in options.business_names if name}
        known = named | confirmed
        answers = _folded(options.places)
        others = False if True in answers.values() else None
        is_only = len({place[2] or place[1] or place[0] for place in counted}) == 1
        for place, count in counted.most_common():
            tokens = [fold_name(one) for one in place if one]
            said = next((answers[one] for one in tokens if one in answers), others)
            if said is None:
                said = next((known[one] for one in tokens if one in known), None)
            if said is None and _is_short_for(place[0], options.business_names):
                said = True
            # An id is compared with those of earlier files, a name with the business's as well.
            if said is None and is_only and not (known if place[0] else confirmed):
                said = True
            label = next(filter(None, place))
            self.found.append((label, count, said))
            self.decisions |= {one: said for one in tokens if said is not None}
        if undecided := {name: count for name, count, said in self.found if said is None}:
            places = ", ".join(f"{shown(name)} ({count:,})" for name, count in undecided.items())
            self.question = question("place", "place", "places", names=undecided, places=places)


def _is_short_for(name: str, business_names: Sequence[str]) -> bool:
    """Whether a name is the beginning of the business's own, like that without its legal form."""
    words = name.casefold().split()
    return len(words) > 1 and any(
        words == full.casefold().split()[: len(words)] for full in business_names
    )


def _folded(places: Mapping[str, bool]) -> dict[str, bool]:
    return {fold_name(name): is_ours for name, is_ours in places.items()}


def place_names(fields: Mapping[str, Any]) -> list[str]:
    """The name and the ids of a row's place."""
    return [*filter(None, _place_of(fields))]


def _place_of(fields: Mapping[str, Any]) -> tuple[str, str, str]:
    """Name, id and resource of the place that a row is of, each perhaps empty."""
    found = _IN_RESOURCE.search(_text(fields.get("_resource")))
    name, place_id = _text(fields.get("_place")), _text(fields.get("_place_id"))
    return name, place_id, found[1] if found else ""


def _text(value: Any) -> str:
    if is_blank(value) or isinstance(value, dict | list | bool):
        return ""
    return " ".join(str(value).split())[:200]
