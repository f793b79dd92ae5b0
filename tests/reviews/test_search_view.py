import datetime as dt
import json
import random
from urllib.parse import quote

import pytest
import time_machine
from django.db import OperationalError
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from reviews import services
from reviews.current import clear_caches
from reviews.models import Review
from reviews.search.parameters import FIELDS
from tests.factories import make_review, make_technician

PATH = "/api/reviews/search"
DESCRIBED_BY = '<https://reviews.example/.well-known/openapi.json>; rel="service-desc"'


@pytest.fixture
def three_reviews(db):
    for stars in (5, 4, 3):
        make_review(rating=stars, text=f"{stars} stars & more", date=f"2026-03-0{stars}")


def get(client, query="", **headers):
    """Send the raw bytes of a query string, as a server passes them to Django."""
    raw = query if isinstance(query, bytes) else query.encode()
    return client.get(PATH, QUERY_STRING=raw.decode("latin-1"), headers=headers)


def test_head_has_headers_of_get_without_body(client, three_reviews):
    got, head = get(client, "limit=1"), client.head(PATH, {"limit": "1"})

    assert head.status_code == 200
    assert head.content == b""
    for name in ("ETag", "Link", "Content-Type", "Cache-Control", "Content-Length"):
        assert head.headers[name] == got.headers[name]


def test_next_links_cover_all_reviews(client, three_reviews):
    make_technician("Dana Reed")
    query = f"query={quote('STARS & ')}&since=2026-03-01&limit=1&unknown=x"
    ratings = []
    for _ in range(3):
        response = get(client, query)
        result = json.loads(response.content)
        ratings += [review["rating"] for review in result["reviews"]]
        assert result["matched"] == 3
        if result["next_cursor"] is None:
            break
        target, described_by = response.headers["Link"].split(", ")
        address, relation = target.split("; ")
        assert relation == 'rel="next"'
        assert described_by == DESCRIBED_BY
        assert address.startswith(f"<https://reviews.example{PATH}?")
        query = address[1:-1].partition("?")[2]
        assert f"cursor={result['next_cursor']}" in query

    assert ratings == [5, 4, 3]
    assert response.headers["Link"] == DESCRIBED_BY


def test_unknown_parameters_are_named(client, three_reviews):
    plain = json.loads(get(client, "min_rating=4").content)

    response = get(client, "minrating=5&min_rating=4&_=1&utm%5Fsource=a&_=2")

    named = json.loads(response.content)
    assert named.pop("ignored_parameters") == ["minrating", "_", "utm_source"]
    assert named == plain
    assert "ignored_parameters" not in plain
    again = get(client, "minrating=7&min_rating=4&_=9&utm_source=b")
    assert again.headers["ETag"] == response.headers["ETag"] != get(client).headers["ETag"]


def changes_since(client, moment, more=""):
    query = f"changed_since={quote(moment.isoformat())}{more}"
    return json.loads(get(client, query).content)


def test_changes_since_time_are_listed_with_removals(client, db, settings):
    settings.VERSION_POLL_MS = 0
    with time_machine.travel("2026-03-01T10:00:00Z", tick=False):
        untouched, edited, hidden, deleted, back = (make_review(text="Old.") for _ in range(5))
        services.hide(Review.objects.filter(pk=back.pk))
    at = dt.datetime(2026, 3, 2, 10, tzinfo=dt.UTC)
    with time_machine.travel(at, tick=False):
        new = make_review(text="New.")
        services.edit_review(edited, {"text": "Edited."})
        services.hide(Review.objects.filter(pk=hidden.pk))
        services.delete(Review.objects.filter(pk=deleted.pk))
        services.hide(Review.objects.filter(pk=back.pk), hidden=False)
    clear_caches()

    result = changes_since(client, at)

    assert {each["id"] for each in result["reviews"]} == {new.ulid, edited.ulid, back.ulid}
    assert result["removed"] == sorted([hidden.ulid, deleted.ulid])
    assert list(result) == ["matched", "returned", "reviews", "next_cursor", "removed"]
    assert result["matched"] == 3
    later = changes_since(client, at + dt.timedelta(minutes=1))
    assert (later["matched"], later["removed"]) == (0, [])
    assert changes_since(client, at, "&rating=1&min_rating=2")["removed"] == result["removed"]
    assert "removed" not in json.loads(get(client).content)
    assert untouched.ulid not in {each["id"] for each in result["reviews"]}


def test_copy_that_follows_changes_is_complete(client, db, settings):
    settings.VERSION_POLL_MS = 0
    copy, previous = {}, dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    rng = random.Random(5)
    for step in range(40):
        now = dt.datetime(2026, 3, 1, tzinfo=dt.UTC) + dt.timedelta(seconds=step / 2)
        with time_machine.travel(now, tick=False):
            change_at_random(rng)
            if step % 3:
                continue
            clear_caches()
            cursor = ""
            while cursor is not None:
                result = changes_since(client, previous, f"&limit=2{cursor}")
                copy |= {each["id"]: each for each in result["reviews"]}
                for ulid in result["removed"]:
                    copy.pop(ulid, None)
                cursor = result["next_cursor"] and f"&cursor={result['next_cursor']}"
            previous = now
        fragments = Review.objects.visible().values_list("ulid", "fragment")
        assert copy == {ulid: json.loads(fragment) for ulid, fragment in fragments}


def change_at_random(rng):
    reviews = list(Review.objects.order_by("pk"))
    chosen = Review.objects.filter(pk=rng.choice(reviews).pk) if reviews else None
    kind = rng.choice(("new", "new", "edit", "hide", "show", "delete")) if chosen else "new"
    if kind == "new":
        make_review(date=dt.date(2026, 2, rng.randint(1, 28)))
    elif kind == "edit":
        services.edit_review(chosen.get(), {"text": f"Edited {rng.random()}."})
    elif kind == "delete":
        services.delete(chosen)
    else:
        services.hide(chosen, hidden=kind == "hide")


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
def test_client_with_current_etag_gets_304(client, three_reviews, form):
    full = get(client, "limit=1")

    response = get(client, "limit=1", if_none_match=form.format(full.headers["ETag"]))

    assert response.status_code == 304
    assert response.getvalue() == b""
    for name in ("ETag", "Link", "Cache-Control", "Access-Control-Allow-Origin"):
        assert response.headers[name] == full.headers[name]
    assert not {"Content-Type", "Content-Length"} & response.headers.keys()
    assert get(client, "limit=1", if_none_match='"other"').status_code == 200


def test_repeated_search_needs_no_database(client, three_reviews, django_assert_num_queries):
    etag = get(client, "query=stars").headers["ETag"]

    with django_assert_num_queries(0):
        assert get(client, "limit=020&query=stars").status_code == 200
        assert get(client, "query=stars", if_none_match=etag).status_code == 304


def test_unreachable_database_is_503(client, db, monkeypatch):
    def unreachable():
        raise OperationalError("server closed the connection")

    monkeypatch.setattr("reviews.search.query.current_revision", unreachable)

    response = get(client)

    assert response.status_code == 503
    assert "Retry-After" in response.headers
    assert b"server closed" not in response.content


FRAGMENTS = st.sampled_from(
    [name.encode() for name in FIELDS]
    + [b"=", b"=", b"&", b"+", b"%", b"%00", b"%ff", b"%25", b"5", b"leak", b"a", b"\xf0\x9f\x91"]
    + [b"2026-01-01", b"cursor=" + FIELDS["cursor"].example.encode(), b"query=%22", b"query=_"]
)


@pytest.mark.django_db
@given(raw=st.lists(FRAGMENTS | st.binary(max_size=6), max_size=15).map(b"".join))
def test_any_query_bytes_give_200_or_400(raw):
    response = get(Client(), raw)

    assert response.status_code in {200, 400}
    assert response.headers["Content-Type"] == "application/json"
    json.loads(response.content)
