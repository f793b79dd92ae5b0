"""Files packed with gzip or in archives, and several documents one after the other."""

import gzip
import io
import json
import tarfile

import pytest

from review_exports.readers import archives
from tests.review_exports.exports import read, refused, summary, workbook, zipped

TABLE = b"Date,Name,Rating,Comment\n2024-01-02,Ann,5,Good\n"
REVIEW = {"author": "Ann", "rating": 5, "date": "2024-01-02", "text": "Good"}
READ = [("import", "Ann", 5, "2024-01-02", "Good", "")]


def page(*authors, **more):
    return {"reviews": [REVIEW | {"author": author} for author in authors], **more}


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(TABLE),
        gzip.compress(json.dumps([REVIEW]).encode()),
        gzip.compress(workbook([["Date", "Name", "Rating", "Comment"],
                                ["2024-01-02", "Ann", 5, "Good"]])),
        zipped({"reviews.csv": TABLE}),
        zipped({"export/reviews.json": page("Ann")}),
        zipped({"reviews.txt": TABLE.replace(b",", b"\t")}),
        zipped({"out/r.csv": TABLE, "__MACOSX/out/._r.csv": b"x", "out/.DS_Store": b"x",
                "out/readme.txt": b"Read me", "out/logo.png": b"x"}),
        zipped({"reviews.csv.zip": b"x", "reviews.csv": TABLE}),
        zipped({"activity/reviews.json": page("Ann"), "start_here.html": b"<html>"}),
        gzip.compress(zipped({"reviews.csv": TABLE})),
    ],
    ids=range(10),
)  # fmt: skip
def test_packed_file_is_read_like_what_is_inside(content):
    assert summary(read(content)) == READ


def test_packed_file_can_be_read_long_after_it_was_opened():
    reading = read(gzip.compress(TABLE * 1 + b"2024-01-03,Ben,4,Ok\n" * 1))

    assert [record.author for record in reading.records] == ["Ann", "Ben"]
    assert reading.export.first_rows


def test_archive_of_several_files_names_them():
    refusal = refused(zipped({"may.csv": TABLE, "june.csv": TABLE}))

    assert refusal.code == "archive_of_several"
    assert "may.csv, june.csv" in refusal.message


def test_archive_in_archives_is_refused():
    inside = zipped({"a.csv": TABLE})
    for _ in range(3):
        inside = gzip.compress(inside)

    assert refused(inside).code == "archive_nested"


def test_tar_archive_is_named():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        entry = tarfile.TarInfo("reviews.csv")
        entry.size = len(TABLE)
        archive.addfile(entry, io.BytesIO(TABLE))

    assert "tar archive" in refused(buffer.getvalue()).message


@pytest.mark.parametrize("cut", [1, 8, 20])
def test_gzip_that_is_cut_off_is_refused(cut):
    assert refused(gzip.compress(TABLE * 50)[:-cut]).code == "gzip_invalid"


def test_gzip_that_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(archives, "UNPACKED_MAX", 10_000)

    assert refused(gzip.compress(bytes(1_000_000))).code == "gzip_too_large"


# --- Several documents ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        "\n".join(json.dumps(page(name)) for name in ("Ann", "Ben", "Cy")),
        "\n".join(json.dumps(page(name), indent=1) for name in ("Ann", "Ben", "Cy")),
        "".join(json.dumps(page(name)) for name in ("Ann", "Ben", "Cy")),
        json.dumps(page("Ann", "Ben")) + json.dumps([REVIEW | {"author": "Cy"}]),
        "\n".join(json.dumps(REVIEW | {"author": name}, indent=2) for name in ("Ann", "Ben", "Cy")),
        "\n".join(json.dumps({"data": {"reviews": [REVIEW | {"author": name}]}})
                  for name in ("Ann", "Ben", "Cy")),
        "\n".join(json.dumps([REVIEW | {"author": name}]) for name in ("Ann", "Ben", "Cy")),
    ],
)  # fmt: skip
def test_documents_one_after_the_other_are_read(content):
    reading = read(content)

    assert [record.author for record in reading.records] == ["Ann", "Ben", "Cy"]
    assert [record.row for record in reading.records] == [1, 2, 3]
    assert not reading.errors


@pytest.mark.parametrize("pages", [[page(), page("Ann"), page()], [page("Ann"), page()]])
@pytest.mark.parametrize("indent", [None, 1])
def test_page_without_reviews_hides_no_others(pages, indent):
    reading = read("\n".join(json.dumps(one, indent=indent) for one in pages))

    assert [record.author for record in reading.records] == ["Ann"]
    assert not reading.errors


def test_lines_of_a_list_without_its_brackets_are_read():
    lines = ",\n".join(json.dumps(REVIEW | {"author": name}) for name in ("Ann", "Ben"))

    assert [record.author for record in read(lines).records] == ["Ann", "Ben"]


def google(number, **more):
    return {
        "reviews": [
            {
                "reviewId": str(number),
                "starRating": "FIVE",
                "createTime": "2024-01-02T03:04:05Z",
                "reviewer": {"displayName": "Ann"},
            }
        ],
        **more,
    }


def test_last_page_tells_whether_more_follow():
    first, last = google(1, nextPageToken="x"), google(2)

    assert read(json.dumps(first) + json.dumps(last)).warnings == []
    assert "page_token_left" in read(json.dumps(last) + json.dumps(first)).warnings


def test_broken_last_page_is_told_and_the_others_are_kept():
    whole = json.dumps(page("Ann"), indent=1) + "\n" + json.dumps(page("Ben"), indent=1)

    reading = read(whole + "\n" + json.dumps(page("Cy"), indent=1)[:-20])

    assert [record.author for record in reading.records] == ["Ann", "Ben"]
    assert reading.codes == [(3, None, "json_invalid")]


@pytest.mark.parametrize(
    "members",
    [{"items": [{"sku": "1"}]}, {"data": {"sku": "1"}}, {"results": []}],
)
def test_line_of_a_review_with_a_list_is_no_page(members):
    content = "\n".join(json.dumps({**REVIEW, "id": n, **members}) for n in (1, 2))

    assert [record.external_id for record in read(content).records] == ["1", "2"]


@pytest.mark.parametrize("member", ["data", "results", "items"])
def test_pages_in_a_list_are_read_one_after_the_other(member):
    pages = [
        {member: [REVIEW], "page": 1, "total_pages": 3},
        {member: [REVIEW | {"author": "Ben"}], "page": 2, "total_pages": 3},
    ]
    reading = read(pages)

    assert [record.author for record in reading.records] == ["Ann", "Ben"]
    assert "page_of_several" in reading.warnings
