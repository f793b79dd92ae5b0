"""Files beyond the limits are refused with an explanation, files at the limits are read."""

import io
import re
import zipfile
from xml.etree.ElementTree import ParseError

import openpyxl
import pytest

from review_exports import limits, wire
from review_exports.readers import workbook as workbooks
from tests.review_exports import bombs
from tests.review_exports.exports import options, read, refusal_reason, workbook, zipped

REVIEW = {"rating": 5, "date": "2025-01-02"}


def item(values: int) -> dict:
    return REVIEW | {f"member {number}": number for number in range(values - len(REVIEW))}


BEYOND = {
    "too_many_items": lambda: bombs.of_nested_items(limits.ROWS_MAX),
    "too_many_documents": lambda: bombs.repeated(b"", b"[]\n", limits.ROWS_MAX + 1),
    "too_many_values_in_one_item": lambda: [item(limits.VALUES_MAX + 1)],
    "too_many_characters_in_the_name_of_a_member": lambda: [{"x" * (limits.NAME_MAX + 1): 1}],
    "too_many_columns": lambda: bombs.of_columns(limits.COLUMNS_MAX),
    "too_many_characters_in_a_line": lambda: bombs.of_columns(limits.LINE_MAX),
    "name_too_long": lambda: "Date,Stars," + "x" * (limits.NAME_MAX + 1) + "\n2025-01-02,5,\n",
    "too_many_lines": lambda: bombs.repeated(b"Date,Stars\n", b"\n", limits.LINES_MAX),
    "too_many_rows": lambda: bombs.repeated(b"Date,Stars\n", b"2025-01-02,5\n", limits.ROWS_MAX),
    "too_many_objects_and_lists": lambda: bombs.of_nested_empty_lists(limits.CONTAINERS_MAX),
    "too_many_commas": lambda: bombs.repeated(b'[{"a":1', b',"a":1', limits.COMMAS_MAX + 1, b"}]"),
    "too_many_characters_in_a_page": lambda: "<p>" + "x" * limits.PAGE_MAX,
}


@pytest.mark.slow
@pytest.mark.parametrize("code", BEYOND)
def test_file_beyond_a_limit_is_refused(code):
    refusal = refusal_reason(BEYOND[code]())

    assert refusal.code == code
    assert refusal.message.endswith(".")


@pytest.mark.parametrize(
    ("bomb", "code"),
    [
        (lambda: bombs.of_one_shared_text(b"<t>x</t>", 4_000_000), "row"),
        (lambda: bombs.of_one_cell(4_000_000, b"<t>x</t>"), "row"),
        (lambda: bombs.of_one_cell(1_000_000), "row"),
        (lambda: bombs.of_fonts(1_000_000), "row"),
        (lambda: bombs.of_shared_texts(4_000_000), "its workbook"),
        (lambda: bombs.of_inline_cells(1_000_000), "its workbook"),
    ],
)
def test_elements_of_workbook_are_counted_before_parsing(bomb, code, monkeypatch):
    monkeypatch.setattr(openpyxl, "load_workbook", None)

    refusal = refusal_reason(bomb())

    assert refusal.message.startswith("The file has more than")
    assert f"elements in {'a row' if code == 'row' else code}" in refusal.message


@pytest.mark.parametrize("bomb", [bombs.of_objects_in_items, bombs.of_objects_in_lines])
def test_objects_and_lists_are_counted_over_all_items(bomb):
    refusal = refusal_reason(bomb(limits.CONTAINERS_MAX // 1_000, 1_000))

    assert refusal.code == "too_many_objects_and_lists"


def test_workbook_part_in_other_encoding_is_refused(monkeypatch):
    monkeypatch.setattr(openpyxl, "load_workbook", None)

    assert refusal_reason(bombs.of_declared("cp037")).code == "workbook_invalid"


@pytest.mark.parametrize("prefix", ["", "x:"])
def test_large_sheet_is_read(monkeypatch, prefix):
    monkeypatch.setattr(workbooks, "ROW_ELEMENTS_MAX", 300)
    content = workbook([["Date", "Stars"], *[["2025-01-02", 5]] * 1_000])
    if prefix:
        content = with_prefix(content, prefix)

    assert len(read(content).records) == 1_000


def with_prefix(content, prefix):
    """Return the workbook with prefixed element names, as some programs write them."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        entries = {name: book.read(name) for name in book.namelist()}
    name = "xl/worksheets/sheet1.xml"
    sheet = re.sub(rb"(</?)(?=\w)", rb"\1" + prefix.encode(), entries[name])
    entries[name] = sheet.replace(b" xmlns=", b" xmlns:" + prefix.encode()[:-1] + b"=")
    return zipped(entries)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp037"])
def test_entities_in_workbook_are_refused_in_every_encoding(encoding):
    assert refusal_reason(bombs.of_entities(encoding)).code == "workbook_invalid"


def test_row_with_too_many_cells_is_a_row_error():
    wide = b"," * limits.COLUMNS_MAX
    reading = read(b"Date,Stars\n2025-01-02,5" + wide + b"\n2025-01-03,4\n")

    assert reading.codes == [(2, None, "too_many_columns")]
    assert [str(record.date) for record in reading.records] == ["2025-01-03"]


def test_item_at_the_limit_is_read():
    assert read([item(limits.VALUES_MAX)]).record.rating == 5


@pytest.mark.parametrize("count", [1, limits.COLUMNS_MAX - 2])
def test_table_at_the_limit_is_read(count):
    assert read("Date,Stars" + "," * count + "\n2025-01-02,5\n").record.rating == 5


def test_names_given_twice_are_read_once():
    assert read(b'[{"rating": 1, "rating": 5, "date": "2025-01-02"}]').record.rating == 5


def lines_about(content):
    return list(wire.lines_of(io.BytesIO(content), options(), file_name="reviews"))


def test_internal_error_is_a_line_without_message(monkeypatch):
    monkeypatch.setattr(wire, "read", lambda *args, **kwargs: 1 / 0)

    (line,) = lines_about(b"Date,Stars\n2025-01-02,5\n")

    assert line["type"] == "failed"
    assert line["reason"].startswith("ZeroDivisionError in ")


def test_out_of_memory_is_not_reported_as_damaged_workbook(monkeypatch):
    def fail(*args, **kwargs):
        error = ParseError("out of memory: line 1, column 0")
        error.code = 1
        raise error

    monkeypatch.setattr(openpyxl, "load_workbook", fail)

    with pytest.raises(MemoryError):
        lines_about(workbook([["Date"], ["2025-01-02"]]))
