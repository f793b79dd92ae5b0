"""Small files that expand to a lot when unpacked or parsed, made quickly."""

import gzip
import io
import zipfile
from collections.abc import Iterable

from tests.review_exports.exports import workbook, zipped

TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
SHARED = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
BLOCK = 1 << 16


def repeated(start: bytes, again: bytes, count: int, end: bytes = b"") -> bytes:
    """Return a gzip file that repeats `again`, without holding the unpacked bytes."""
    buffer = io.BytesIO()
    block = again * BLOCK
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=1) as file:
        file.write(start)
        for _ in range(count // BLOCK):
            file.write(block)
        file.write(again * (count % BLOCK) + end)
    return buffer.getvalue()


def parts(**changes: Iterable[bytes]) -> bytes:
    """Return a workbook with one review and some replaced parts."""
    book = zipfile.ZipFile(io.BytesIO(workbook([["Date", "Stars"], ["2025-01-02", 5]])))
    entries = {name: book.read(name) for name in book.namelist()}
    override = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{TYPES}"/></Types>'
    types = entries["[Content_Types].xml"].decode()
    entries["[Content_Types].xml"] = types.replace("</Types>", override).encode()
    entries["xl/sharedStrings.xml"] = SHARED + b"</sst>"
    entries |= {name: b"".join(chunks) for name, chunks in changes.items()}
    return zipped(entries)


def entities(encoding: str) -> bytes:
    """Return shared strings that expand to a thousand million letters."""
    declared = ['<!ENTITY a "aaaaaaaaaa">']
    declared += [f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(8)]
    start = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE sst [{"".join(declared)}]>'
    return f"{start}{SHARED.decode()}<si><t>&i;</t></si></sst>".encode(encoding)


def of_entities(encoding: str = "utf-8") -> bytes:
    return parts(**{"xl/sharedStrings.xml": [entities(encoding)]})


def of_shared_texts(count: int) -> bytes:
    return parts(**{"xl/sharedStrings.xml": [SHARED, b"<si><t/></si>" * count, b"</sst>"]})


def of_one_shared_text(element: bytes, count: int) -> bytes:
    """Return a workbook with one shared string of that many elements."""
    chunks = [SHARED, b"<si>", *[element * BLOCK] * (count // BLOCK), b"</si></sst>"]
    return parts(**{"xl/sharedStrings.xml": chunks})


def of_fonts(count: int) -> bytes:
    return parts(**{"xl/styles.xml": [b"<styleSheet><fonts>", b"<font/>" * count]})


def of_objects_in_items(items: int, objects: int) -> bytes:
    item = b',{"rating": [' + b",".join([b"{}"] * objects) + b"]}"
    return repeated(b'[{"rating": 5, "date": "2025-01-02"}', item, items, b"]")


def of_objects_in_lines(items: int, objects: int) -> bytes:
    line = b'{"rating": [' + b",".join([b"{}"] * objects) + b"]}\n"
    return repeated(b'{"rating": 5, "date": "2025-01-02"}\n', line, items)


def of_nested_items(count: int) -> bytes:
    return repeated(b'[[{"rating": 5, "date": "2025-01-02"}]', b",[1,1]", count // 2, b"]")


def of_nested_empty_lists(count: int) -> bytes:
    return repeated(b'[{"rating": 5, "date": "2025-01-02", "of": [[]', b",[]", count, b"]}]")


def of_columns(count: int) -> bytes:
    return repeated(b"Date,Stars", b",", count, b"\n2025-01-02,5\n")


def of_column_elements(count: int) -> bytes:
    return parts(**{"xl/worksheets/sheet1.xml": [b"<worksheet><cols>", b'<col min="1"/>' * count]})


def of_one_cell(count: int, element: bytes = b"<a/>") -> bytes:
    cell = b'<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is>'
    return parts(**{"xl/worksheets/sheet1.xml": [cell, element * count]})


def of_inline_cells(count: int) -> bytes:
    row = b'<row><c t="inlineStr"><is><t>x</t></is></c></row>'
    return parts(**{"xl/worksheets/sheet1.xml": [b"<worksheet><sheetData>", row * count]})


def of_declared(encoding: str) -> bytes:
    """Return a workbook whose shared strings have another encoding than UTF-8."""
    start = f'<?xml version="1.0" encoding="{encoding}"?>'.encode()
    return parts(**{"xl/sharedStrings.xml": [start, (SHARED * 9).decode().encode(encoding)]})
