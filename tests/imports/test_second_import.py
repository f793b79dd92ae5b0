"""A second import of the same file changes nothing, for every kind of file."""

import gzip
import io
import json
import unicodedata
from pathlib import Path

import pytest

from imports import services
from imports.models import ImportOptions
from reviews.models import Review
from tests.factories import make_business
from tests.review_exports.exports import workbook, zipped

pytestmark = pytest.mark.django_db

EXPORTS = Path(__file__).parents[1] / "review_exports"
NOTICES = {"apify_webhook", "outscraper_webhook"}
BODIES = [path for path in sorted((EXPORTS / "bodies").glob("*.json")) if path.stem not in NOTICES]
TABLE = (
    "Date,Name,Rating,Comment,Source\n"
    "2024-01-02,René,5,<ul><li>Très</li><li>bien</li></ul>,GOOGLE\n"
    "2024-01-03,,4,see ?a=1&copy=2,Google Maps\n"
    "2024-01-03,,4,,googlemybusiness\n"
)
PAGE = {"reviews": [{"author": "Ann", "rating": 5, "date": "2024-01-02", "text": "Good"}]}
LATER = {"reviews": [{"author": "Ben", "rating": 4, "date": "2024-01-03", "text": "Ok"}]}


def load(content, **options):
    file = io.BytesIO(content)
    return services.import_file(
        file, file_name="file", options=ImportOptions(**{"accept": True, **options})
    )


@pytest.mark.parametrize("path", BODIES, ids=lambda path: path.stem)
def test_second_import_of_push_body_changes_nothing(path):
    make_business(name="Invented Plumbing")

    assert load(path.read_bytes()).new
    again = load(path.read_bytes() + b"\n")  # Different bytes, so that the file is read.

    assert (again.new, again.changed) == (0, 0)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (TABLE.encode(), unicodedata.normalize("NFD", TABLE).encode()),
        (TABLE.encode(), gzip.compress(TABLE.encode())),
        (TABLE.encode(), zipped({"export/reviews.csv": TABLE.encode()})),
        (TABLE.encode(), TABLE.encode("utf-16")),
        (TABLE.encode(), workbook([line.split(",") for line in TABLE.splitlines()])),
        (json.dumps(PAGE).encode(), zipped({"reviews.json": PAGE})),
        (
            (json.dumps(PAGE) + json.dumps(LATER)).encode(),
            (json.dumps(LATER, indent=1) + "\n" + json.dumps(PAGE, indent=1)).encode(),
        ),
    ],
)
def test_same_reviews_in_other_container_change_nothing(first, second):
    make_business()

    new = load(first).new
    again = load(second)

    assert (again.new, again.changed) == (0, 0)
    assert again.unchanged == new == Review.objects.count()
