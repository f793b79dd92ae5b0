"""Places that the rows of a file are of, and which of them are the business's own."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from review_exports.formats.base import fold_name, is_blank
from review_exports.options import ReadOptions
from review_exports.rows import Rows
from review_exports.shapes import Question
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
            names
            for _, fields, _ in rows
            if isinstance(fields, dict) and (names := place_names(fields))
        )
        known = _known_places(options)
        answers = _folded(options.places)
        others = False if True in answers.values() else None
        is_only = not known and len({names[-1] for names in counted}) == 1
        for names, count in counted.most_common():
            tokens = [fold_name(name) for name in names]
            said = next((answers[one] for one in tokens if one in answers), others)
            if said is None:
                said = next((known[one] for one in tokens if one in known), is_only or None)
            self.found.append((names[0], count, said))
            self.decisions |= {one: said for one in tokens if said is not None}
        if undecided := {name: count for name, count, said in self.found if said is None}:
            self.question = _question(undecided)


def _known_places(options: ReadOptions) -> dict[str, bool]:
    known = {fold_name(name): True for name in options.business_names if name}
    for confirmation in options.confirmations.values():
        known |= _folded(confirmation.places)
    return known


def _folded(places: Mapping[str, bool]) -> dict[str, bool]:
    return {fold_name(name): is_ours for name, is_ours in places.items()}


def _question(undecided: Mapping[str, int]) -> Question:
    places = ", ".join(f"{shown(name)} ({count:,})" for name, count in undecided.items())
    return Question(
        kind="place",
        message="These reviews are of a place whose name is not that of the business: "
        f"{places}. Say which are yours; reviews of the others are left out.",
        option="places",
        names=undecided,
    )


def place_names(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The names and ids of the place that a row is of."""
    names = [_text(fields.get("_place")), _text(fields.get("_place_id"))]
    if found := _IN_RESOURCE.search(_text(fields.get("_resource"))):
        names.append(found[1])
    return tuple(filter(None, names))


def _text(value: Any) -> str:
    if is_blank(value) or isinstance(value, dict | list | bool):
        return ""
    return " ".join(str(value).split())[:200]
