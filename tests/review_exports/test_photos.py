"""Addresses of photos in exports of several makers."""

import csv
import io

import pytest

from review_exports.values.photos import PHOTOS_MAX
from tests.review_exports.exports import read

ONE, TWO = "https://img.example/1.jpg", "https://img.example/2,w=800.jpg"
GOOGLE_REVIEW = {
    "name": "accounts/1/locations/2/reviews/a",
    "reviewId": "a",
    "reviewer": {"displayName": "Ada"},
    "starRating": "FIVE",
    "createTime": "2025-03-02T12:00:00Z",
    "updateTime": "2025-03-04T12:00:00Z",
}
APIFY = {
    "name": "Ada",
    "reviewId": "a",
    "stars": 5,
    "publishedAtDate": "2025-03-02T12:00:00.000Z",
    "text": "Fine",
}
OUTSCRAPER = {
    "author_title": "Ada",
    "review_id": "a",
    "review_rating": 5,
    "review_datetime_utc": "03/02/2025 12:00:00",
    "review_text": "Fine",
}


def table(row: dict[str, object]) -> bytes:
    """The row as CSV."""
    text = io.StringIO()
    writer = csv.DictWriter(text, row)
    writer.writeheader()
    writer.writerow(row)
    return text.getvalue().encode()


def photos(content: object) -> tuple[str, ...]:
    return read(content).record.photos


def test_photos_of_google_business_profile():
    media = [{"thumbnailUrl": ONE}, {"googleUrl": TWO, "thumbnailUrl": ONE}]

    assert photos({"reviews": [GOOGLE_REVIEW | {"reviewMediaItems": media}]}) == (ONE, TWO)


@pytest.mark.parametrize("addresses", [[ONE], [ONE, TWO]])
def test_photos_of_apify(addresses):
    cells = {f"reviewImageUrls/{number}": address for number, address in enumerate(addresses)}

    assert photos([APIFY | {"reviewImageUrls": addresses}]) == tuple(addresses)
    assert photos(table(APIFY | cells)) == tuple(addresses)
    assert photos([APIFY | {"reviewImageUrls": []}]) == ()


def test_photos_of_outscraper():
    both = f"{ONE}, {TWO}"

    assert photos([OUTSCRAPER | {"review_img_urls": [ONE, TWO]}]) == (ONE, TWO)
    assert photos(table(OUTSCRAPER | {"review_img_urls": both})) == (ONE, TWO)
    assert photos(table(OUTSCRAPER | {"review_img_url": ONE})) == (ONE,)


def test_unusable_addresses_are_left_out_and_counted():
    unusable = ["http://img.example/1.jpg", "javascript:alert(1)", "//img.example/1.jpg", 7, None]

    reading = read([APIFY | {"reviewImageUrls": [*unusable, ONE, ONE, "https://" + "a" * 2_000]}])

    assert reading.record.photos == (ONE,)
    assert reading.warnings == ["photos_dropped"]


def test_number_of_photos_is_bounded():
    many = [f"https://img.example/{number}.jpg" for number in range(1_000)]

    assert photos([APIFY | {"reviewImageUrls": many}]) == tuple(many[:PHOTOS_MAX])
    assert photos(table(OUTSCRAPER | {"review_img_urls": ",".join(many)})) == tuple(
        many[:PHOTOS_MAX]
    )


def test_terms_of_the_places_api_leave_photos_out():
    review = {
        "name": "places/1/reviews/a",
        "rating": 5,
        "publishTime": "2025-03-02T12:00:00Z",
        "relativePublishTimeDescription": "a year ago",
        "authorAttribution": {"displayName": "Ada", "photoUri": ONE},
        "photos": [{"uri": TWO}],
        "images": [TWO],
    }

    assert photos({"reviews": [review]}) == ()
