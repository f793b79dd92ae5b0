"""A recognised export, which yields records, row errors and skipped rows."""

import datetime as dt
import operator
import pickle
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from tempfile import TemporaryFile
from typing import Any

from review_exports.decoding import Encoding
from review_exports.formats.base import RowSkipped, fold_name
from review_exports.interpretation import Interpretation
from review_exports.normalising import Normaliser
from review_exports.options import ReadOptions
from review_exports.parts import Part, number_in
from review_exports.proposals import is_total
from review_exports.publication import ReplyRows
from review_exports.records import (
    Outcome,
    ReadWarning,
    Record,
    RowError,
    Skipped,
    file_refused,
    skipped,
    warning,
)
from review_exports.rows import TEXT_FIELDS, TableRows
from review_exports.shapes import ConfirmationRequired
from review_exports.values import ValueRefused, shown, value_refused
from review_exports.values.people import is_contact, is_phone
from review_exports.vocabulary import MESSAGES

_SAMPLES = 3
# Letters and quotes of UTF-8 that were decoded as Windows-1252: "CafÃ©", "itâ€™s".
_MOJIBAKE = re.compile("Ã[\u00a0-\u00bfŸœ‰„\u2013]|â€[™\u02dcœ\u201c\u201d¦]")

_RECORD_FIELDS = {
    "review_id": "external_id",
    "owner_reply": "reply_text",
    "owner_reply_date": "reply_date",
    "language": "text_language",
    "title": "text",
}
_key = operator.attrgetter("source", "external_id")
_content = operator.attrgetter(
    *("author", "rating", "date", "text", "translated_text", "reply_text", "reply_date"),
    *("source_url", "verified"),
)


class Export:
    """A recognised export file, which can be iterated once.

    `shape` describes its columns. Iterating raises `ConfirmationRequired` if the shape is not
    confirmed. `warnings` is complete after the iteration. `provided_fields` names the fields of
    `Record` for which the file has a column.
    """

    def __init__(
        self,
        interpretation: Interpretation,
        *,
        options: ReadOptions,
        encoding: Encoding,
        kind: str = "",
        warnings: Iterable[ReadWarning] = (),
        part: Part | None = None,
    ) -> None:
        self._rows = rows = interpretation.rows
        self._format = format_ = rows.format
        self._options = options
        self._publication = interpretation.publication
        self.shape = interpretation.shape
        # Names of the columns of a table, and the row with the headings; 0 if there is none.
        self.columns = [*rows.names.values()] if isinstance(rows, TableRows) else []
        self.heading_row = rows.heading_row
        self.format = format_.name
        self.label = f"{format_.label}, {kind}" if kind else format_.label
        self.encoding = encoding.name
        self.warnings = [*format_.warnings, *warnings]
        if encoding.is_cut_off:
            self.warnings.insert(0, warning("file_cut_off"))
        self.provided_fields = frozenset(
            _RECORD_FIELDS.get(name, name)
            for name in rows.provided_fields()
            if not name.startswith("_")
        )
        self._has_reply_rows = "_parent" in rows.provided_fields()
        if self._has_reply_rows:
            self.provided_fields |= {"reply_text", "reply_date"}
        self.part = part
        self._review_rows = 0  # Rows that may be reviews.
        self._mojibake = Counter[str]()  # Letters that an earlier program decoded wrongly.
        self._guess_samples: list[str] | None = [] if encoding.is_guess else None
        self._normaliser = Normaliser(
            format_,
            replace(options, source=self.shape.confirmation.source),
            order=interpretation.orders.order,
            scale=interpretation.scale,
            stars=interpretation.stars,
        )

    @property
    def first_rows(self) -> list[tuple[int, list[str]]]:
        """Numbers and cells of the first rows of a table, for choosing the headings."""
        return self._rows.first_rows()

    def __iter__(self) -> Iterator[Outcome]:
        if not self.shape.is_confirmed:
            raise ConfirmationRequired(self.shape)
        has_versions = self._format.newest_wins or self._options.last_wins
        outcomes = self._newest() if has_versions else self._once()
        yield from outcomes if self._format.has_row_numbers else self._renumbered(outcomes)
        self.warnings += self._final_warnings()

    def _read(self) -> Iterator[tuple[Outcome, list[Any]]]:
        record_of = self._normaliser.record
        check = self._publication.check
        limit = self._options.max_rows
        names = frozenset(map(fold_name, self._options.business_names))
        rows = self._rows if self._has_reply_rows else ()
        attach_reply = ReplyRows(rows, self._publication, names).attach
        for count, (row, fields, cells) in enumerate(self._rows, start=1):
            if limit is not None and count > limit:
                raise file_refused("too_many_rows", limit=limit)
            if not isinstance(fields, dict):
                yield fields, cells
                continue
            self._review_rows += 1
            try:
                check(fields)
                attach_reply(row, fields)
                record = record_of(row, fields)
            except ValueRefused as refusal:
                if is_total(cells):
                    yield skipped("total_row", row=row), cells
                else:
                    yield self._error(row, refusal, cells), cells
            except RowSkipped as skip:
                yield skipped(skip.key, row=row, **skip.values), cells
            else:
                if self._guess_samples is not None:
                    self._keep_sample(record)
                if not record.text.isascii() and (letters := _MOJIBAKE.search(record.text)):
                    self._mojibake[letters[0]] += 1
                yield record, cells

    def _once(self) -> Iterator[Outcome]:
        """Yield each review once; skip repeated rows, and refuse an id with other content."""
        # Hashes instead of records keep memory flat.
        seen: dict[int, int] = {}
        for outcome, cells in self._read():
            if isinstance(outcome, Record):
                key = hash(_key(outcome))
                content = hash(_content(outcome))
                if key in seen:
                    yield self._repeat(outcome, cells, is_same=seen[key] == content)
                    continue
                seen[key] = content
            yield outcome

    def _repeat(self, record: Record, cells: list[Any], *, is_same: bool) -> Outcome:
        if is_same:
            return skipped("repeated_in_file", row=record.row)
        value, which = record.external_id, "another review with this id"
        if record.external_id_is_synthetic:
            value, which = "", "another review of this author, day and beginning"
        refusal = value_refused("duplicate_id_in_file", "review_id", value, which=which)
        return self._error(record.row, refusal, cells)

    def _newest(self) -> Iterator[Outcome]:
        """Yield the newest version of each review, at the position of its first version.

        Outcomes are buffered in a temporary file, since texts take much memory.
        """
        places: list[int] = []  # Offset in the file of the outcome at each position.
        older: dict[int, int] = {}  # Position without an outcome -> row of the older version.
        # Hash of a merge key -> position, row and time of the newest version.
        newest: dict[int, tuple[int, int, dt.datetime | None]] = {}
        with TemporaryFile() as kept:
            for outcome, _ in self._read():
                here = len(places)
                places.append(kept.tell())
                pickle.dump(outcome, kept, pickle.HIGHEST_PROTOCOL)
                if not isinstance(outcome, Record):
                    continue
                key, found = hash(_key(outcome)), (here, outcome.row, outcome.source_updated_at)
                at, row, written = newest.setdefault(key, found)
                if at == here:
                    continue
                updated = outcome.source_updated_at
                is_later = updated is not None and written is not None and updated > written
                if self._options.last_wins or is_later:
                    newest[key] = at, *found[1:]
                    places[at], older[here] = places[here], row
                else:
                    older[here] = outcome.row
            for number, place in enumerate(places):
                if number in older:
                    yield skipped("older_version", row=older[number])
                else:
                    kept.seek(place)
                    yield pickle.load(kept)  # noqa: S301  (Written above.)

    def _renumbered(self, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
        """Number the outcomes from 1, for files whose rows have no numbers."""
        row = left_out = 0
        for outcome in outcomes:
            if isinstance(outcome, Skipped) and outcome.code == "older_version":
                left_out += 1
            else:
                row += 1
                yield replace(outcome, row=row)
        if left_out:
            self.warnings.append(warning("older_versions_left_out", count=left_out))

    def _error(self, row: int, refusal: ValueRefused, cells: list[Any]) -> RowError:
        field, value = refusal.field, refusal.value
        # If the cells of a row are shifted, the rating may be a phone number.
        is_private = is_contact(value) or (field == "rating" and is_phone(value))
        return RowError(
            row=row,
            field=field,
            code=refusal.code,
            message=refusal.message,
            value="" if is_private and field not in TEXT_FIELDS else value,
            cells=self._rows.exportable_cells(cells),
        )

    def _keep_sample(self, record: Record) -> None:
        samples = self._guess_samples
        for text in (record.author, record.text):
            if samples is not None and len(samples) < _SAMPLES and not text.isascii():
                samples.append(shown(text))

    def _total(self) -> dict[str, Any]:
        """Fields of `Part` for a total that is repeated in each row."""
        totals = {value for value in self._rows.values("_total") if value not in {None, ""}}
        number = number_in(totals.pop()) if len(totals) == 1 else 0
        return {"total": number, "total_name": self._format.total_name if number else ""}

    def _final_warnings(self) -> Iterator[ReadWarning]:
        part = self.part or Part()
        if not part.total and self._format.total_name:
            part = replace(part, **self._total())
        yield from part.warnings(self._review_rows)
        if self._guess_samples is not None:
            shows = ": " + " · ".join(self._guess_samples) if self._guess_samples else ""
            yield warning("decoded_as_windows_1252", shows=shows)
        if self._mojibake:
            letters = ", ".join(letters for letters, _ in self._mojibake.most_common(_SAMPLES))
            yield warning("letters_spoilt", letters=letters, count=self._mojibake.total())
        yield from self._publication.warnings()
        for name, count in self._normaliser.dropped.items():
            yield ReadWarning(
                code=f"{name}_dropped",
                message=MESSAGES["dropped"][name].format(count=count),
                option="columns" if name == "owner_reply" else "",
            )
        for note, count in self._normaliser.noted.items():
            yield ReadWarning(code=note, message=MESSAGES["noted"][note].format(count=count))
