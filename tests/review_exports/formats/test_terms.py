"""Files whose maker does not allow reviews to be stored."""

import csv
import io

import pytest

from tests.review_exports.exports import read, read_sample

PLACES = ["name", "rating", "publishTime", "authorAttribution.displayName", "text.text"]


def as_csv(*rows):
    lines = io.StringIO()
    csv.writer(lines).writerows(rows)
    return lines.getvalue()


@pytest.mark.parametrize(
    ("reading", "maker"),
    [
        (lambda: read_sample("google_places_new.json"), "Google's terms"),
        (
            lambda: read(as_csv(PLACES, ["places/1/reviews/2", 5, "2025-01-02T00:00:00Z", "Ann",
                                         "Good"])),
            "Google's terms",
        ),
        (lambda: read_sample("yelp_fusion.json"), "Yelp's terms"),
    ],
)  # fmt: skip
def test_terms_that_forbid_storing_are_said_in_one_sentence(reading, maker):
    export = reading().export

    (warning,) = (one for one in export.warnings if one.code == "terms_forbid_storing")
    assert warning.message.startswith(maker)
    assert ". " not in warning.message


@pytest.mark.parametrize("name", ["google_business_profile_api.json", "outscraper.json"])
def test_other_files_say_nothing_of_terms(name):
    assert "terms_forbid_storing" not in read_sample(name).warnings
