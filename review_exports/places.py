"""Places that the reviews of a file are about, and which belong to the business."""

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
    """The places of one file; the business's own are known by name or by a person's answer.

    `decisions` maps folded names and ids to whether a place is the business's, and `question` asks
    about undecided places. The only place of a file counts as the business's own if no other name
    is known.
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
            claims = [*map(answers.get, tokens), others, *map(known.get, tokens)]
            is_ours = next((claim for claim in claims if claim is not None), None)
            if is_ours is None and _is_short_for(place[0], options.business_names):
                is_ours = True
            # Ids are compared with confirmed ones only, names with those of the business as well.
            if is_ours is None and is_only and not (known if place[0] else confirmed):
                is_ours = True
            label = next(filter(None, place))
            self.found.append((label, count, is_ours))
            self.decisions |= {one: is_ours for one in tokens if is_ours is not None}
        if undecided := {name: count for name, count, is_ours in self.found if is_ours is None}:
            places = ", ".join(f"{shown(name)} ({count:,})" for name, count in undecided.items())
            self.question = question("place", "place", "places", names=undecided, places=places)


def _is_short_for(name: str, business_names: Sequence[str]) -> bool:
    """Whether a name is the business's without its last words, such as the legal form."""
    words = name.casefold().split()
    return len(words) > 1 and any(
        words == full.casefold().split()[: len(words)] for full in business_names
    )


def _folded(places: Mapping[str, bool]) -> dict[str, bool]:
    return {fold_name(name): is_ours for name, is_ours in places.items()}


def place_names(fields: Mapping[str, Any]) -> list[str]:
    """The name and ids of a row's place."""
    return [*filter(None, _place_of(fields))]


def _place_of(fields: Mapping[str, Any]) -> tuple[str, str, str]:
    """Name, id and resource of a row's place; each may be empty."""
    found = _IN_RESOURCE.search(_text(fields.get("_resource")))
    name, place_id = _text(fields.get("_place")), _text(fields.get("_place_id"))
    return name, place_id, found[1] if found else ""


def _text(value: Any) -> str:
    if is_blank(value) or isinstance(value, dict | list | bool):
        return ""
    return " ".join(str(value).split())[:200]
