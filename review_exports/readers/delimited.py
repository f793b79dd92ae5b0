"""CSV, TSV and other delimited texts as tables."""

import csv
import itertools
import re
from collections.abc import Iterator
from typing import BinaryIO, Self

from review_exports.decoding import Encoding, lines
from review_exports.limits import COLUMNS_MAX, ROWS_MAX, check_headings, too_many
from review_exports.readers.tables import BrokenRow, Row, Table, broken_row, is_blank_row
from review_exports.records import FileRefused, file_refused
from review_exports.values.characters import unguard_cell

_DELIMITERS = ",;\t|"
_HEADING_MAX = 1 << 16
_COMPARED = 5  # Rows that a delimiter should split like the headings.
_EARLY = 5_000  # Lines in which escaped quotes are looked for.
# A quote inside quotes escaped by a backslash, as databases and scripts write it.
_BACKSLASHED = re.compile(rf'(?:^|[{_DELIMITERS}])"[^"]*\\"[^"{_DELIMITERS}\r\n]')
_CELL_MAX = csv.field_size_limit()


class Delimited(Table):
    """A delimited text as a table; the constructor reads the headings."""

    def __init__(
        self,
        file: BinaryIO,
        encoding: Encoding,
        *,
        name_hint: str = "",
        above: int = 0,
        has_headings: bool = True,
    ) -> None:
        self._file = file
        self._name_hint = name_hint
        self.above = above
        self.encoding = encoding
        early = itertools.islice(lines(file, encoding), _EARLY)
        self._is_backslashed = any('\\"' in line and _BACKSLASHED.search(line) for line in early)
        self._named_delimiter = ""
        self._skips_blanks = False
        self._delimiter = self._find_delimiter("\t" if name_hint.lower().endswith(".tsv") else "")
        self.kind = "TSV" if self._delimiter == "\t" else "CSV"
        self.heading_row, self.headings = (
            self._read_heading() if has_headings else (0, self.numbered_headings())
        )

    def with_heading_below(self, rows: int, *, has_headings: bool = True) -> Self:
        return type(self)(
            self._file,
            self.encoding,
            name_hint=self._name_hint,
            above=rows,
            has_headings=has_headings,
        )

    def _find_delimiter(self, hint: str) -> str:
        first_lines = self._first_lines(self.above + 1 + _COMPARED)
        # A first line like "sep=;" names the delimiter for Excel, which hides the line.
        bare = first_lines[0].strip().strip('"')
        if len(bare) == 5 and bare.lower().startswith("sep="):
            self._named_delimiter = bare[4]
            return bare[4]
        outside, *rows = (
            "".join(line.split('"')[::2]) for line in first_lines[self.above :] or [""]
        )

        def fitness(mark: str) -> tuple[int, int, bool]:
            # Marks in headings only, like the commas of a question, are not delimiters.
            count = outside.count(mark)
            same = sum(row.count(mark) == count for row in rows) if count else 0
            return same, count, mark == hint

        best = max(_DELIMITERS, key=fitness)
        if best not in outside and not hint:
            # The first line is a title above the headings.
            best = max(
                _DELIMITERS, key=lambda mark: max((row.count(mark) for row in rows), default=0)
            )
            return best if any(best in row for row in rows) else ","
        # Hand-written files may have a blank after each delimiter, before a quote.
        self._skips_blanks = f"{best} " in outside
        return best if best in outside else hint or ","

    def _first_lines(self, count: int) -> list[str]:
        """Return the first lines that are not blank; quoted line breaks do not end a line."""
        found: list[str] = []
        open_line = ""
        for line in lines(self._file, self.encoding):
            if not open_line and not line.strip(" \t\r\n\ufeff"):
                continue
            open_line += line
            if open_line.count('"') % 2 == 0 or len(open_line) > _HEADING_MAX:
                found.append(open_line[:_HEADING_MAX])
                open_line = ""
                if len(found) == count:
                    break
        return found or [open_line]

    def _read_heading(self) -> tuple[int, list[str]]:
        for number, cells in itertools.islice(self.all_rows(), self.above, None):
            if isinstance(cells, BrokenRow):
                raise FileRefused(cells.code, cells.message)
            names = [cell.replace("\0", "").strip(" \t\r\n\ufeff") for cell in cells]
            check_headings(names)
            return number, [unguard_cell(name) if name[:1] == "=" else name for name in names]
        raise file_refused("empty_file")

    def all_rows(self, *, is_whole: bool = False) -> Iterator[Row]:
        source = _Lines(self._doubled_quotes())
        reader = csv.reader(source, delimiter=self._delimiter, skipinitialspace=self._skips_blanks)
        if self._named_delimiter:
            next(reader, None)
        number = 0
        while True:
            number += 1
            before = reader.line_num
            try:
                for cells in reader:
                    if source.has_ended:
                        # The file ended inside this row.
                        yield number, broken_row("quote_not_closed", number=number, most=_CELL_MAX)
                        return
                    if len(cells) > COLUMNS_MAX:
                        yield (
                            number,
                            broken_row("too_many_columns", number=number, most=COLUMNS_MAX),
                        )
                    elif (cells and cells[0] and not cells[0].isspace()) or not is_blank_row(cells):
                        yield number, cells
                    number += 1
                    if number > ROWS_MAX:
                        raise too_many("rows", ROWS_MAX)
                    before = reader.line_num
            except csv.Error:
                if reader.line_num == before + 1:
                    # The fault is within one line, so the next line is a row again.
                    yield number, broken_row("text_too_long", number=number, most=_CELL_MAX)
                    continue
                yield number, broken_row("quote_not_closed", number=number, most=_CELL_MAX)
            return

    def _doubled_quotes(self) -> Iterator[str]:
        """Yield the lines with escaped quotes doubled, as in standard CSV."""
        if not self._is_backslashed:
            return lines(self._file, self.encoding)
        return (line.replace('\\"', '""') for line in lines(self._file, self.encoding))


class _Lines:
    """Iterable of lines that records whether its end was reached."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.has_ended = False

    def __iter__(self) -> Iterator[str]:
        yield from self._lines
        self.has_ended = True
