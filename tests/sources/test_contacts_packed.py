"""Contact data in workbooks, archives and gzip that a source sends, which is stored nowhere."""

import gzip
import io
import json
import re
import zipfile

import openpyxl
import pytest
from openpyxl.comments import Comment

from reviews.models import Review
from sources import runs, services
from sources.models import SourceRun
from sources.packed import stored_content
from tests.review_exports.exports import refused, workbook
from tests.sources.rows import make_connection
from tests.sources.test_contacts import SECRETS, dumped

EMAIL, IP, PHONE = SECRETS
HEADINGS = ["id", "author", "E-Mail", "rating", "date", "text", "ip", "Phone", "account"]
ROWS = [
    ["7", "Zoë", EMAIL, 5, "2026-11-02", "Good &  <fine>, 4", IP, 15550107788, EMAIL],
    ["8", EMAIL, EMAIL, "4", "2026-11-03", "Fine", IP, PHONE, IP],
]


def sheet(*, title=()):
    return workbook([*title, HEADINGS, *ROWS])


def parts(content):
    """All parts of an archive, unpacked."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return b"".join(map(archive.read, archive.namelist()))


def cells(content):
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True)
    return [
        [cell or None for cell in row] for row in book.worksheets[0].iter_rows(values_only=True)
    ]


def held(content):
    return [word for word in (*SECRETS, "15550107788") if word.encode() in parts(content)]


def changed(content, name, old, new):
    """The archive with something replaced in one part."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as source,
        zipfile.ZipFile(packed, "w") as target,
    ):
        for one in source.namelist():
            part = source.read(one)
            target.writestr(one, re.sub(old, new, part) if one == name else part)
    return packed.getvalue()


def test_workbook_keeps_all_cells_but_contact_data():
    assert held(sheet()) == [*SECRETS, "15550107788"]

    kept = stored_content(sheet(title=(["Reviews of all time"], [])))

    assert not held(kept)
    assert cells(kept) == [
        ["Reviews of all time", *[None] * 8],
        [None] * 9,
        HEADINGS,
        ["7", "Zoë", None, 5, "2026-11-02", "Good &  <fine>, 4", None, None, None],
        ["8", None, None, "4", "2026-11-03", "Fine", None, None, None],
    ]


def test_workbook_with_texts_in_its_cells_and_prefixed_elements():
    content = changed(
        workbook([["id", "phone", "note"], ["1", 15550107788, "x"]]),
        "xl/worksheets/sheet1.xml",
        rb'<c r="C2"[^>]*>.*?</c>',
        f'<c r="C2" t="inlineStr"><is><t>{EMAIL}</t></is></c>'.encode(),
    )
    assert cells(content)[1] == ["1", 15550107788, EMAIL]
    content = changed(content, "xl/worksheets/sheet1.xml", rb"<(/?)(?=\w)", rb"<\1x:")
    content = changed(content, "xl/worksheets/sheet1.xml", b"xmlns=", b"xmlns:x=")

    kept = stored_content(content)

    assert cells(kept)[1] == ["1", None, None]
    assert not held(kept)


def test_links_comments_and_properties_of_a_workbook_are_left_out():
    book = openpyxl.Workbook()
    table = book.active
    table.append(["id", "E-Mail"])
    table.append(["1", "here"])
    table["B2"].hyperlink = f"mailto:{EMAIL}"
    table["A2"].comment = Comment(f"Call {PHONE}", "Dana")
    table.auto_filter.ref = "A1:B2"
    table.auto_filter.add_filter_column(1, [EMAIL])
    book.properties.creator = EMAIL
    file = io.BytesIO()
    book.save(file)

    kept = stored_content(file.getvalue())

    assert held(file.getvalue()) == [EMAIL, PHONE, PHONE[1:]]
    assert not held(kept)
    assert cells(kept) == [["id", "E-Mail"], ["1", None]]


def test_ids_and_shared_texts_of_other_columns_stay():
    kept = stored_content(workbook([["id", "email", "text"], [EMAIL, "same", "same"]]))

    assert cells(kept)[1] == [EMAIL, None, "same"]


@pytest.mark.parametrize("cut", [300, -30])
def test_cut_workbook_stays_as_it_is(cut):
    assert stored_content(sheet()[:cut]) == sheet()[:cut]


def test_damaged_sheet_ends_where_it_is_damaged_and_is_refused():
    content = changed(sheet(), "xl/worksheets/sheet1.xml", rb"</sheetData>", b"</row>")

    kept = stored_content(content)

    assert not held(kept)
    assert refused(kept).code == refused(content).code == "workbook_invalid"


def test_entities_of_a_workbook_are_refused():
    declared = f'<!DOCTYPE x [<!ENTITY a "{EMAIL}">]><worksheet'.encode()
    content = changed(sheet(), "xl/worksheets/sheet1.xml", b"<worksheet", declared)

    kept = stored_content(content)

    assert not held(kept)
    assert refused(kept).code == "workbook_invalid"


@pytest.mark.parametrize("encoding", [b"utf-7", b"shift_jis", b"none"])
def test_workbook_in_an_encoding_that_no_program_writes_is_refused(encoding):
    declared = b'<?xml version="1.0" encoding="' + encoding + b'"?><worksheet'
    content = changed(sheet(), "xl/worksheets/sheet1.xml", b"<worksheet", declared)

    kept = stored_content(content)

    assert not held(kept)
    assert refused(kept).code == "workbook_invalid"


def test_workbook_that_takes_too_long_is_cut_and_refused(settings):
    settings.IMPORT_READ_TIMEOUT = -1

    kept = stored_content(sheet())

    assert not held(kept)
    assert refused(kept).code == "workbook_invalid"


def zipped(name, content):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, content)
    return file.getvalue()


def test_archives_and_gzip_are_looked_into():
    rows = json.dumps([{"id": "1", "email": EMAIL, "ip": IP}]).encode()

    assert json.loads(gzip.decompress(stored_content(gzip.compress(rows)))) == [
        {"id": "1", "email": None, "ip": None}
    ]
    assert not held(stored_content(zipped("a.json", rows)))
    inner = gzip.decompress(stored_content(gzip.compress(zipped("a.xlsx", sheet()))))
    with zipfile.ZipFile(io.BytesIO(inner)) as archive:
        assert not held(archive.read("a.xlsx"))


def test_contact_data_of_a_workbook_is_stored_nowhere_while_a_run_waits(allowed, settings, look):
    settings.INBOX_DIR.mkdir()
    connection = make_connection("folder", name="Inbox", interval_seconds=5)
    (settings.INBOX_DIR / "a.xlsx").write_bytes(sheet())
    look(5)
    services.check_now(connection)

    look(6)

    run = SourceRun.objects.get()
    assert (run.state, run.new) == (SourceRun.State.WAITING, 2)
    assert not held(run.content)
    assert not held(run.batch.importupload.content)
    assert [word for word in SECRETS if word in dumped()] == []

    services.approve(run, by=None)
    runs.import_stored()

    assert list(Review.objects.order_by("date").values_list("author", "rating", "text")) == [
        ("Zoë", 5, "Good &  <fine>, 4"),
        ("Anonymous", 4, "Fine"),
    ]
