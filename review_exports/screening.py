"""Selection of rows that are public reviews by customers of the business."""

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from review_exports.authorship import Authorship
from review_exports.formats.base import WRAPPINGS, Fields, Format, flatten, fold_name
from review_exports.options import (
    ReadOptions,
    answered_publication,
    answered_statuses,
    mapped_columns,
)
from review_exports.places import Places
from review_exports.publication import Checks, Publication
from review_exports.publication_names import is_other_subject, meaning_of
from review_exports.records import Question, ReadWarning, Subject
from review_exports.rows import UNEXPECTED_MEMBERS, ItemRows, Rows
from review_exports.threads import Threads

Items = Callable[[], Iterator[Any]]  # All of them, as often as it is called.

_LOOKED_AT = 50  # Items that show which members the objects have.
_EARLY = 100  # Rows looked at before the first record is asked for.


class Screening:
    """Extends a format by the columns that say so, and decides about one row after another.

    `names` has the names of the file by their folded names, `outer` those that a person may be
    asked about, by their folded names too; `inner` what members of inner objects mean, such as
    `meta.isPublished`. `values` gives what all rows have under a folded name.
    Raises `NeedsInput` and `FileRefused`.
    """

    def __init__(
        self,
        format_: Format,
        *,
        names: Mapping[str, str],
        outer: Mapping[str, str],
        mapped: Mapping[str, str | None],
        options: ReadOptions,
        values: Callable[[str], Iterator[Any]],
        inner: Mapping[str, str] | None = None,
    ) -> None:
        self._options = options
        self._outer = outer
        self._answers = {**(inner or {}), **answered_publication(options, mapped)}
        self._publication = Publication(
            format_,
            names=names,
            outer=outer,
            answers=self._answers,
            values=values,
        )
        free = {name: heading for name, heading in names.items() if name not in mapped}
        self._authorship = Authorship(self._publication.format, free)
        self._places = Places(
            self._authorship.format,
            names=free,
            ours=frozenset(options.places),
            known=options.known_places,
        )
        self._threads = Threads(self._places.format, names, business=options.business_name)
        self.format = self._threads.format
        self.meanings = self._publication.meanings
        self._names = frozenset(names)
        self._steps: list[Callable[[Fields], None]] = []

    @property
    def unread(self) -> list[str]:
        """The columns, or outer members, from which nothing is taken."""
        read = {name for names in self.format.columns.values() for name in names}
        return [
            heading
            for name, heading in self._outer.items()
            if heading and name not in read and not any(one.startswith(name) for one in read)
        ]

    def begin(self, rows: Rows) -> Callable[[Fields], None] | None:
        """The check of a row, which raises `RowSkipped` or `ValueRefused`; None: no check."""

        def fields() -> Iterator[Fields]:
            return (one for _, one, _ in rows if isinstance(one, dict))

        self._checks = Checks(
            self._publication,
            today=self._options.today,
            statuses=answered_statuses(self._options),
            values=rows.values,
        )
        is_public = self._checks.apply if self._publication.has_columns else None
        if isinstance(rows, ItemRows):
            rows.expect(self._names)
            self._steps.append(self._check_unexpected)
        if self._threads.is_threaded:
            self._threads.look_at(fields, is_public or (lambda _: None))
            self._steps.append(self._threads.apply)
        if self._authorship.names:
            self._authorship.look_at(rows.values)
            self._steps.append(self._authorship.apply)
        if self._places.is_named or self._options.places:
            self._places.look_at(fields)
            self._places.decide_early(itertools.islice(fields(), _EARLY))
            self._steps.append(self._places.apply)
        if is_public:
            self._steps.append(is_public)
        return self._apply if self._steps else None

    def _check_unexpected(self, fields: Fields) -> None:
        """Judge members that none of the first objects had."""
        for name, value in fields.get(UNEXPECTED_MEMBERS, ()):
            self._checks.apply_unexpected(name, value, self._answers.get(name))

    def _apply(self, fields: Fields) -> None:
        for step in self._steps:
            step(fields)

    def warnings(self) -> Iterable[ReadWarning]:
        """Warnings of rows left out, complete after the last row."""
        yield from self._authorship.warnings()
        yield from self._places.warnings()
        if count := self._checks.private_replies:
            yield ReadWarning(
                code="replies_not_public",
                message=f"Replies left out because the source does not publish them: {count:,}.",
            )

    def questions(self) -> list[Question]:
        """Questions about statuses that are not understood, complete after the last row."""
        statuses = self._checks.unclear_statuses
        if not statuses:
            return []
        subjects = (Subject(name=word, count=count) for word, count in statuses.most_common())
        return [Question(kind="status", subjects=tuple(subjects))]

    def only_place(self) -> str:
        """Id or name of the one place that the reviews are of, complete after the last row."""
        return self._places.only_place()

    def place_answers(self) -> dict[str, str]:
        """Place -> ours or other, as the choice for this import says."""
        return self._places.answers()


def outer_names(headings: Iterable[str]) -> dict[str, str]:
    """Folded name -> the first heading of that name."""
    names: dict[str, str] = {}
    for heading in headings:
        if folded := fold_name(heading):
            names.setdefault(folded, heading)
    return names


def screen_items(
    format_: Format, items: Items, options: ReadOptions, *, is_flat: bool = False
) -> Screening:
    """The screening of items, by the members of the first ones."""
    objects = first_objects(items)
    names: dict[str, str] = {}
    outer: dict[str, str] = {}
    inner_meanings: dict[str, str] = {}
    for item in objects:
        wrapped = [inner for key in WRAPPINGS if isinstance(inner := item.get(key), dict)]
        for one in (item, *wrapped):
            outer.update((fold_name(key), key) for key in one if one[key] not in wrapped)
            for key, inner in one.items():
                if isinstance(inner, dict) and meaning_of(fold_name(key)):
                    outer.update((fold_name(key + name), f"{key}.{name}") for name in inner)
                if isinstance(inner, dict) and not is_other_subject(fold_name(key)):
                    inner_meanings.update(_inner_meanings(fold_name(key), inner))
        names.update((name, outer.get(name, name)) for name in (item if is_flat else flatten(item)))

    return Screening(
        format_,
        names=names,
        outer=outer,
        mapped=mapped_columns(options.columns, None),
        options=options,
        values=functools.partial(values_of, items, is_flat=is_flat),
        inner=inner_meanings,
    )


def _inner_meanings(path: str, value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Folded path -> published or withheld, for members that say so by their name alone."""
    for key, inner in value.items():
        meaning = meaning_of(name := fold_name(key))
        if meaning in {"published", "withheld"} and not isinstance(inner, dict | list):
            yield path + name, str(meaning)


def values_of(items: Items, name: str, *, is_flat: bool) -> Iterator[Any]:
    """Values of all items under a folded name."""
    looking = Format(name="", label="", columns={"_": (name,)})
    return ItemRows(items, looking, is_flat=is_flat).values("_")


def first_objects(items: Items) -> list[dict[str, Any]]:
    """Some objects, which show which members all of them have."""
    return [item for item in itertools.islice(items(), _LOOKED_AT) if isinstance(item, dict)]
