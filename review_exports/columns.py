"""Fields of the columns of a file, and decisions about publication by their values."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from review_exports import proposals
from review_exports.formats.base import Format, fold_name, fold_value
from review_exports.options import ReadOptions, mapped_columns
from review_exports.profile import ColumnProfile, Profile
from review_exports.publication import DecidingColumn
from review_exports.rows import shape_key
from review_exports.shapes import (
    BLANK,
    DECIDING_FIELDS,
    NOT_READ,
    REPLY_PUBLISHED,
    Confirmation,
    Question,
    ShapeColumn,
    question,
)
from review_exports.values import shown
from review_exports.values.people import public_names

DECIDING = (*DECIDING_FIELDS, REPLY_PUBLISHED)
_ESSENTIAL = frozenset({"rating", "date"})
_FORMAT_KEY = "format "  # Prefix of the key of a shipped format's confirmation.

Decisions = Mapping[str, bool | None]


class Columns:
    """The columns of one file, with fields that are shipped, confirmed, answered or proposed.

    `fields` maps folded names to fields, and `decisions` maps folded names of deciding columns to
    the decision about each value. `questions` are those that proposals do not answer.
    """

    def __init__(
        self,
        format_: Format,
        profile: Profile,
        options: ReadOptions,
        *,
        is_shipped: bool,
        is_numbered: bool = False,
    ) -> None:
        self._format, self._profile, self._options = format_, profile, options
        self._is_shipped, self._is_numbered = is_shipped, is_numbered
        self.names = {folded: one.name for folded, one in profile.columns.items()}
        self.key = _FORMAT_KEY + format_.name if is_shipped else self._key()
        stored = self._most_alike()
        self.is_stored = stored is not None
        self.stored = stored or Confirmation()
        self.answers = mapped_columns(options.columns, [*self.names.values(), *self.stored.columns])
        confirmed = {fold_name(name): field for name, field in self.stored.columns.items()}
        self.confirmed = {name: self.answers.get(name, field) for name, field in confirmed.items()}
        self.questions: list[Question] = []
        self._open: set[str] = set()  # Columns whose field a person must name.
        self.fields = self._known_fields()
        self._propose()
        self._ask_for_lacking()
        self.decisions: dict[str, Decisions] = {
            name: self._decide(name, field)
            for name, field in self.fields.items()
            if field in DECIDING
        }

    def _key(self) -> str:
        """The key of a shape by column names; numbered columns also count by their content."""
        names = [*self.names.values()]
        if self._is_numbered:
            columns = self._profile.columns.values()
            names += [f"{one.name} holds {proposals.kind_of(one)}" for one in columns]
        return shape_key(names)

    def _most_alike(self) -> Confirmation | None:
        """Return the confirmation of this shape, or of the most similar shape."""
        known = self._options.confirmations
        if self.key in known or self._is_shipped or self._is_numbered:
            return known.get(self.key)
        found: tuple[tuple[int, int], Confirmation | None] = (0, 0), None
        for key, one in known.items():
            names = {*map(fold_name, one.columns)}
            needed = {fold_name(n) for n, field in one.columns.items() if field in _ESSENTIAL}
            likeness = len(names & self.names.keys()), -len(names)
            if names and not key.startswith(_FORMAT_KEY) and needed <= self.names.keys():
                found = max(found, (likeness, one), key=lambda pair: pair[0])
        return found[1]

    def _known_fields(self) -> dict[str, str]:
        """Map folded names to fields that are shipped, confirmed or answered."""
        known: dict[str, str] = {}
        if self._is_shipped:
            for field, names in reversed([*self._format.columns.items()]):
                known |= dict.fromkeys(names, field.removeprefix("_"))
        known |= dict.fromkeys(self._format.decides, "status")
        known |= dict.fromkeys(self._format.reply_decides, REPLY_PUBLISHED)
        known |= self.confirmed | self.answers
        decided = map(fold_name, self._options.decisions)
        known |= {name: "status" for name in decided if known.get(name) not in DECIDING}
        return {name: known[name] for name in self.names if name in known}

    def _propose(self) -> None:
        """Propose fields for unknown columns; ask about those that may decide."""
        columns = self._profile.columns
        unclear = []
        new = [name for name in self.names if name not in self.fields]
        if self._is_shipped:
            new = [name for name in new if name not in self._format.ignored]
        else:
            self.fields |= proposals.proposed_fields(self._profile, self.fields)
        for name in new:
            if name in self.fields:
                continue
            column = columns[name]
            field = proposals.deciding_field(column)
            if field and proposals.refers_to_reply(column):
                field = REPLY_PUBLISHED if "owner_reply" in self.fields.values() else None
            if field:
                self.fields[name] = field
            elif not self._is_shipped and self._may_decide(column):
                unclear.append(name)
        if unclear:
            self.ask("unclear", unclear)

    def _may_decide(self, column: ColumnProfile) -> bool:
        rows, columns = self._profile.rows, self._profile.columns
        return proposals.distinguishes_rows(column, rows) and not any(
            proposals.starts_alike(column, columns[name], rows)
            for name, field in self.fields.items()
            if field == "author"
        )

    def ask(self, key: str, names: list[str], *, is_numbered: bool = False) -> None:
        """Add a question about the fields of some columns, by the key of its message."""
        self._open |= {*names}
        columns = {self.names[name]: self._profile.columns[name].filled for name in names}
        keys = ("no_headings", key) if is_numbered else (key,)
        self._add_question(keys, public_names(columns), columns)

    def _add_question(self, keys: Iterable[str], columns: str, names: Mapping[str, int]) -> None:
        make = partial(question, kind="column", option="columns", names=names, columns=columns)
        questions = [make(f"columns-{key}") for key in keys]
        message = " ".join(one.message for one in questions)
        self.questions.append(replace(questions[-1], message=message))

    def _ask_for_lacking(self) -> None:
        """Ask about confirmed deciding columns that the file lacks."""
        for heading in self.stored.decisions:
            name = fold_name(heading)
            if name not in self.names and self.confirmed.get(name) in DECIDING:
                self._add_question(("lacking",), shown(heading), {heading: 0})

    # --- Decisions ------------------------------------------------------------------------------

    def _known_decisions(self, name: str) -> dict[str, bool]:
        """Map folded values to shipped and confirmed decisions."""
        return {
            **self._format.decides.get(name, {}),
            **self._format.reply_decides.get(name, {}),
            **folded_decisions(self.stored.decisions, name),
        }

    def _decide(self, name: str, field: str) -> Decisions:
        """Map values as spelt to decisions; None if a value is not understood."""
        answers = folded_decisions(self._options.decisions, name)
        known = self._known_decisions(name) | answers
        is_shipped = name in self._format.decides or name in self._format.reply_decides
        found: dict[str, bool | None] = {}
        for value in self.values(name):
            folded = fold_value(value)
            decision = known.get(folded, known.get(proposals.ANY_TEXT) if folded else None)
            if decision is None and not is_shipped:
                decision = proposals.proposed_decision(field, folded)
            found[value] = decision
        if field in DECIDING_FIELDS and not (answers or is_shipped or name in self.confirmed):
            forbids_by_flag = field == "withheld" and BLANK in found
            is_unclear = None in found.values() and True not in found.values()
            if forbids_by_flag or is_unclear:
                self.ask("values", [name])
        return found

    def values(self, name: str) -> dict[str, int]:
        """Map the values of a column to their numbers of rows.

        All days count as one value, and so do many or private values.
        """
        column, is_read = self._profile.columns[name], self.fields.get(name, NOT_READ) in DECIDING
        blank = self._profile.rows - column.filled
        values: dict[str, int] = {}
        spelt: dict[str, str] = {}
        if column.is_private or column.has_many or not (column.has_few or is_read):
            is_of_days = bool(column.sampled) and all(map(proposals.is_day, column.sampled))
            values = {proposals.ANY_DAY if is_of_days else proposals.ANY_TEXT: column.filled}
        else:
            for value, count in column.values.items():
                text = proposals.ANY_DAY if proposals.is_day(value) else str(value)
                text = spelt.setdefault(fold_value(text), text)
                values[text] = values.get(text, 0) + count
        return {text: count for text, count in {**values, BLANK: blank}.items() if count}

    def deciding(self, *, of_reply: bool) -> Iterator[DecidingColumn]:
        """Yield the columns that decide about reviews, or about replies alone."""
        for name, field in (self.confirmed | self.fields).items():
            if field in DECIDING and (field == REPLY_PUBLISHED) is of_reply:
                found = self.decisions.get(name, {}).items()
                decisions = self._known_decisions(name)
                decisions |= {fold_value(value): one for value, one in found if one is not None}
                decisions |= folded_decisions(self._options.decisions, name)
                yield DecidingColumn(name, self.names.get(name, name), decisions)

    # --- Confirmation ---------------------------------------------------------------------------

    def shown(self) -> Iterator[ShapeColumn]:
        """Yield the columns for a person to confirm."""
        for name, profile in self._profile.columns.items():
            field = self.fields.get(name, NOT_READ)
            is_known = name in self.confirmed or name in self.answers
            is_partial = 0 < profile.filled < self._profile.rows
            may_decide = not (field or is_known) and (profile.has_few or is_partial)
            yield ShapeColumn(
                name=profile.name,
                field=field,
                samples=profile.samples(),
                values=self.values(name) if field in DECIDING or may_decide else {},
                decisions=self.decisions.get(name, {}),
                is_new=self.is_new(name) or self._has_new_value(name),
                may_decide=may_decide and bool(profile.filled),
                is_open=name in self._open,
            )

    def is_new(self, name: str) -> bool:
        """Whether the field of a column is neither shipped nor confirmed."""
        if name in self.confirmed:
            return False
        if not self._is_shipped:
            return True
        is_read = any(name in names for names in self._format.columns.values())
        is_described = name in self._format.decides or name in self._format.reply_decides
        return not (is_read or is_described) and (name in self._open or name in self.fields)

    def _has_new_value(self, name: str) -> bool:
        known = self._known_decisions(name)
        found = self.decisions.get(name, {})
        return any(fold_value(value) not in known and value != BLANK for value in found)

    def confirmation(self) -> Confirmation:
        """Return the fields and decisions that the format does not ship."""
        names = [name for name in self.names if not self._is_shipped or self.is_new(name)]
        return Confirmation(
            columns={self.names[name]: self.fields.get(name, NOT_READ) for name in names},
            decisions={
                self.names[name]: {fold_value(value): one is True for value, one in found.items()}
                for name, found in self.decisions.items()
                if name in names or self._has_new_value(name)
            },
        )


def folded_decisions(decisions: Mapping[str, Mapping[str, bool]], name: str) -> dict[str, bool]:
    """Map the folded values of one column to its decisions."""
    return {
        fold_value(value): decision
        for heading, values in decisions.items()
        if fold_name(heading) == name
        for value, decision in values.items()
    }
