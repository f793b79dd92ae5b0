"""Any bytes give records, row errors or one clear refusal."""

import csv
import io
import json
import struct
import subprocess
import sys
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports.parts import part_in
from review_exports.readers.json_documents import decode_twice, is_double_encoded
from review_exports.records import FileRefused
from review_exports.values.characters import guard_cell
from tests.review_exports.exports import SAMPLES, read, refusal_reason, workbook, zipped

JSON_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=10**30, max_value=10**60)
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["5", "2025-01-01", "\ud800", "\x00", "1e999", "3 weeks ago", "04/05/2024"])
)
NAMES = st.sampled_from(
    (
        "reviews data reviews_data items name reviewId starRating createTime comment "
        "reviewReply reviewer displayName rating stars date text id author source source_url "
        "owner_reply verified title author_avatar_url publishedAtDate review_rating "
        "review_timestamp createdAt consumer time_created user recommendation_type "
        "created_time sourceType comments reviewDate store_review_id @type @graph @context "
        "review reviewRating ratingValue bestRating datePublished language"
    ).split()
)
JSON_VALUES = st.recursive(
    JSON_SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=12),
    max_leaves=8,
)
MEMBERS = (
    JSON_SCALARS
    | st.lists(JSON_SCALARS, max_size=2)
    | st.dictionaries(NAMES, JSON_SCALARS, max_size=2)
)
FORMAT_ITEMS = st.fixed_dictionaries(
    {"rating": st.just(5) | MEMBERS, "date": st.just("2025-01-01") | MEMBERS},
    optional=dict.fromkeys(
        (
            "id author author_avatar_url text source source_url owner_reply verified starRating "
            "reviewId name createTime comment stars publishedAtDate title"
        ).split(),
        MEMBERS,
    ),
)


def read_or_refusal(content: bytes, **changes) -> str:
    try:
        reading = read(content, **changes)
    except FileRefused as refusal_reason:
        refusal = refusal_reason
    else:
        check_outcomes(reading)
        return "read"
    assert refusal.code
    assert refusal.message.endswith(".")
    return refusal.code


def check_outcomes(reading) -> None:
    for record in reading.records:
        check_record(record)
    for error in reading.errors:
        assert error.code
        assert error.message.endswith(".")
        assert error.value.isprintable()
        "".join(error.cells).encode()


def check_record(record) -> None:
    """Assert the guarantees of a record."""
    assert 1 <= record.rating <= 5
    assert record.author.strip() == record.author != ""
    assert len(record.author) <= 200
    assert 0 < len(record.external_id) <= 255
    assert len(record.source_url) <= 1000
    assert record.source
    assert record.reply_text or record.reply_date is None
    for value in (record.author, record.text, record.translated_text, record.reply_text):
        assert not set(value) & {"\x00", "\x07", "\r", "\ufffe", "\uffff"}
        assert len(value) <= 20_000
        value.encode()
    for value in (record.external_id, record.source_url, record.author_avatar_url):
        assert value.isprintable() or record.external_id == value
        value.encode()


@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_read_or_refused(content):
    read_or_refusal(content)


@given(
    st.sampled_from(sorted(path.name for path in SAMPLES.iterdir() if path.stat().st_size < 5000)),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=6)), max_size=5),
)
def test_damaged_samples_are_read_or_refused(name, damages):
    content = bytearray((SAMPLES / name).read_bytes())
    for place, damage in damages:
        start = int(place * len(content))
        content[start : start + len(damage)] = damage
    read_or_refusal(bytes(content))


@given(JSON_VALUES)
def test_arbitrary_json_is_read_or_refused(value):
    read_or_refusal(json.dumps(value).encode())


@given(st.lists(FORMAT_ITEMS, min_size=1, max_size=2), st.booleans())
def test_items_with_any_values_are_read_or_refused(items, as_lines):
    if as_lines:
        content = "\n".join(json.dumps(item) for item in items).encode()
    else:
        content = json.dumps({"reviews": items}).encode()
    read_or_refusal(content)


@given(
    st.lists(st.lists(st.text(max_size=12), min_size=3, max_size=5), max_size=5),
    st.text(max_size=8),
)
def test_tables_with_any_cells_are_read_or_refused(rows, tail):
    buffer = io.StringIO()
    csv.writer(buffer).writerows([["author", "rating", "date"], *rows])
    read_or_refusal((buffer.getvalue() + tail).encode("utf-8", "surrogatepass"))


CELLS = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Cn"), include_characters="\n\t"), max_size=60
)


@given(st.lists(CELLS, min_size=1, max_size=8), st.sampled_from(",;\t|"))
def test_texts_round_trip_through_own_table(texts, delimiter):
    heading = (
        "id author author_avatar_url rating date text source source_url owner_reply "
        "owner_reply_date verified"
    ).split()
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter)
    writer.writerow(heading)
    for number, text in enumerate(texts):
        cells = [f"r{number}", "Ada", "", "5", "2025-01-01", text, "google", "", text, "", "true"]
        writer.writerow([guard_cell(cell) for cell in cells])

    records = read(buffer.getvalue()).records

    kept = [text if text.strip() else "" for text in texts]  # White space alone is not a text.
    assert [record.text for record in records] == kept
    assert [record.reply_text for record in records] == kept


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_double_encoded_texts_are_repaired(texts):
    twice = [text.encode().decode("latin-1") for text in texts]

    assert is_double_encoded([{"a": twice}]) == any(not text.isascii() for text in texts)
    assert decode_twice({"a": [{"b": twice}]}) == {"a": [{"b": texts}]}


MEMBERS_AROUND = st.sampled_from("total count next links page pages reviews meta".split())
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("9" * 5000),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(MEMBERS_AROUND, inner, max_size=4),
)


@given(DOCUMENTS, st.integers(0, 10))
def test_signs_of_any_document_are_computed(document, held):
    assert len([*part_in(document).warnings(held)]) <= 1


@pytest.mark.parametrize("wrapping", ["[{}]", '{{"reviews": [{}]}}', "{}"])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("levels", [90, 110, 900, 60_000])
def test_json_depth_is_equal_on_every_python(wrapping, opening, closing, levels):
    nested = f"{opening * levels}1{closing * levels}"
    review = f'{{"review_id": {nested}, "rating": 5, "date": "2025-01-01", "text": "Fine"}}'
    document = wrapping.format(review)
    good = '{"review_id": 1, "rating": 5, "date": "2025-01-01", "text": "Fine"}'

    of_lines = read(f"{good}\n{review}".encode())

    is_read = levels == 90
    assert read_or_refusal(document.encode()) == ("read" if is_read else "json_invalid")
    assert [error.code for error in of_lines.errors] == [
        "wrong_type" if is_read else "json_line_invalid"
    ]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"[" * 100_000, "json_invalid"),
        (b'{"a":' * 50_000, "json_invalid"),
        (b'{"reviews": [{"rating": ' + b"9" * 5000 + b"}]}", "json_invalid"),
        (workbook([]), "empty_file"),
    ],
)
def test_large_file_without_reviews_is_refused_with_reason(content, code):
    assert read_or_refusal(content) == code


def test_archive_with_too_many_entries_is_refused():
    assert read_or_refusal(zipped({f"{n}.txt": b"" for n in range(2001)})) == "zip_too_large"


def test_archive_bomb_is_refused_while_reading(monkeypatch):
    monkeypatch.setattr("review_exports.readers.archives.UNPACKED_MAX", 1 << 20)
    bomb = zipped({"location-1/reviews.json": b" " * (2 << 20)})

    assert len(bomb) < 10_000
    assert read_or_refusal(bomb) == "zip_too_large"


def test_archive_with_false_sizes_is_refused(monkeypatch):
    monkeypatch.setattr("review_exports.readers.archives.UNPACKED_MAX", 1 << 20)
    content = bytearray(zipped({"reviews.json": b" " * (2 << 20)}))
    start = content.rindex(b"PK\x01\x02")
    content[start + 24 : start + 28] = struct.pack("<I", 10)

    assert read_or_refusal(bytes(content)) in {"zip_too_large", "zip_invalid"}


def test_encrypted_archive_is_refused():
    content = bytearray(zipped({"reviews.json": {"reviews": []}}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + offset] |= 1

    refusal = refusal_reason(bytes(content))
    assert refusal.code == "file_is_locked"
    assert "locked with a password" in refusal.message


def test_names_outside_of_archive_are_harmless(tmp_path):
    review = {
        "name": "accounts/1/locations/2/reviews/a",
        "starRating": "FIVE",
        "createTime": "2025-01-02T12:00:00Z",
    }
    reading = read(zipped({"../../../etc/reviews.json": {"reviews": [review]}}))

    assert reading.record.external_id == "locations/2/reviews/a"


def test_workbook_ends_before_distant_row():
    content = workbook([["Name", "Stars", "Date"], ["Ada", 5, "2025-01-01"]])
    source, target = zipfile.ZipFile(io.BytesIO(content)), io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            data = source.read(name)
            if name.endswith("sheet1.xml"):
                data = data.replace(b"</sheetData>", b'<row r="999999999999"/></sheetData>')
            archive.writestr(name, data)

    assert len(read(target.getvalue()).records) == 1


def test_page_of_opening_tags_is_read_in_linear_time():
    content = b"<script " * 20_000 + b"<!-" * 20_000

    assert read_or_refusal(b"<" + content) == "no_reviews_found"


@pytest.mark.slow
def test_reading_imports_no_django_and_openpyxl_only_for_workbooks():
    code = "import sys, review_exports as _; print({'django', 'openpyxl'} & {*sys.modules})"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )

    assert answer.stdout == "set()\n"
