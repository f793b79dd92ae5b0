"""`/reviews.csv` is readable by spreadsheets and can be imported unchanged."""

import csv
import datetime as dt
import io

import pytest
from django.core.management import call_command

from review_exports.formats.own import TABLE_HEADINGS
from reviews.models import Photos, Review
from tests.factories import make_business, make_review

PATH = "/reviews.csv"
TEXTS = [
    "", "=1+1", "'=1+1", "''-2", "'quoted'", "- slow\n- late", "+1!", "@shop", "\tTab",
    'She said "good".', '="5"', "Two\nlines", "Two\r\nlines", "a,b;c|d", "NULL", "n/a", "None",
    "true", "5", "2026-01-01", "&amp; <b>", "Café ☕ 好", "'", "''", "#N/A", "\ufeffx", "x\u2028y",
]  # fmt: skip


@pytest.fixture
def reviews(transactional_db):
    """Create a review for each text, as text and as reply, some with every optional member."""
    make_business(photos=Photos.LINKS)
    for number, text in enumerate(TEXTS):
        make_review(
            text=text,
            reply_text=text,
            reply_date=dt.date(2026, 3, 20) if text else None,
            author=text.strip() or "Anonymous",
            rating=number % 5 + 1,
            verified=bool(number % 2),
        )
    make_review(
        author_avatar_url="https://img.example/1.png",
        source_url="https://source.example/1?a=1,2",
        photos=["https://img.example/a.jpg", "https://img.example/b,c.jpg"],
        alteration="edited",
    )
    make_review(text="[...] was late.", alteration="redacted", source="judge-me")
    make_review(text="", reply_text="Thanks!", reply_date=None)
    make_review(hidden=True, text="Hidden")


def rows(client):
    content = client.get(PATH).content
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def published(client):
    return client.get("/reviews.json").json()["reviews"]


@pytest.mark.usefixtures("reviews")
def test_table_has_row_for_each_published_review_and_no_formula(client):
    table = rows(client)

    assert [row["id"] for row in table] == [review["id"] for review in published(client)]
    assert set(TABLE_HEADINGS) < set(table[0])
    assert "Hidden" not in {row["text"] for row in table}
    cells = {cell for row in table for cell in row.values()}
    assert "'=1+1" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


@pytest.mark.usefixtures("reviews")
def test_table_round_trips_to_another_installation(client, tmp_path):
    before = published(client)
    file = tmp_path / "reviews.csv"
    file.write_bytes(client.get(PATH).content)
    Review.objects.all().delete()  # Not through the service, which would store the deletions.
    assert published(client) == []

    call_command("import_reviews", str(file), verbosity=0)

    assert published(client) == before
