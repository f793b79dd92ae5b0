"""The listing by date: a slice of the published bytes that equals a query of the rows."""

import datetime as dt

import pytest

from reviews.models import Review
from tests.factories import build_review, make_review

DAY = dt.date(2026, 3, 14)
HOSTILE = '}]},{"id":"x","rating":5,"date":"1999-01-01"} \\ \u2028 "reviews":['


def get(client, date, **headers):
    return client.get(f"/api/reviews/since/{date}", headers=headers)


@pytest.mark.django_db
def test_slice_equals_rows_for_every_date(client):
    offsets = [0, 0, 1, 1, 1, 5, 40, 41, 41, 400]
    Review.objects.bulk_create(
        build_review(
            date=DAY - dt.timedelta(days=offset),
            author=HOSTILE[:40],
            text=HOSTILE if offset % 2 else "",
            reply_text=HOSTILE if offset == 1 else "",
            hidden=offset == 5,
        )
        for offset in offsets
    )
    client.get("/reviews.json")

    for offset in (-2, -1, 0, 1, 2, 4, 5, 6, 39, 40, 41, 42, 399, 400, 401):
        day = DAY - dt.timedelta(days=offset)
        rows = Review.objects.visible().filter(date__gte=day).newest_first()
        answer = get(client, day.isoformat())
        fragments = ",".join(rows.values_list("fragment", flat=True))
        expected = f'{{"since":"{day}","returned":{len(rows)},"reviews":[{fragments}]}}'
        assert answer.content.decode() == expected


@pytest.mark.django_db
@pytest.mark.parametrize(
    "date",
    [
        *("2026-02-30", "2026-3-14", "20260314", "2026-W11-6", "yesterday", " 2026-03-14"),
        *("2026-03-14 ", "+026-03-14", "0000-01-01", "2026-03-14T00:00:00", "%00", "2026-03-14%00"),
        *("%FF%FE", "%D9%A2026-03-14", "2026-03-14%0A", "%ED%A0%80"),
    ],
)
def test_invalid_date_is_refused_with_issue(client, date):
    response = get(client, date)

    assert response.status_code == 400
    [issue] = response.json()["issues"]
    assert issue["code"] in {"invalid_date", "invalid_text"}
    assert issue["path"] == ["date"]
    assert "Allow" not in response  # The method is allowed.


@pytest.mark.django_db(transaction=True)
def test_validators_give_304_until_a_review_changes(client):
    review = make_review(date=DAY)
    first = get(client, "2026-03-01")

    for headers in (
        {"If-None-Match": first["ETag"]},
        {"If-Modified-Since": first["Last-Modified"]},
    ):
        unchanged = get(client, "2026-03-01", **headers)
        assert unchanged.status_code == 304
        assert unchanged.content == b""
        assert unchanged["ETag"] == first["ETag"]

    review.text = "Better than I first wrote."
    review.save()
    for headers in (
        {"If-None-Match": first["ETag"]},
        {"If-Modified-Since": first["Last-Modified"]},
    ):
        assert get(client, "2026-03-01", **headers).status_code == 200
