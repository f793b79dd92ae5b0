import json
from urllib.parse import quote

import pytest
from django.db import OperationalError
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from review_analysis.text import fold_for_search
from reviews.answers import forget
from reviews.models import Review
from reviews.parameters import SEARCH
from tests.factories import build_review, make_review, make_technician

PATH = "/api/reviews/search"
DESCRIBED_BY = '<https://reviews.example/.well-known/openapi.json>; rel="service-desc"'


@pytest.fixture
def three_reviews(db):
    for stars in (5, 4, 3):
        make_review(rating=stars, text=f"{stars} stars & more", date=f"2026-03-0{stars}")


def get(client, query="", **headers):
    """As a server gives it to Django: the query string with its bytes as they came."""
    raw = query if isinstance(query, bytes) else query.encode()
    return client.get(PATH, QUERY_STRING=raw.decode("latin-1"), headers=headers)


def test_a_search_answers_json_with_its_headers(client, three_reviews):
    response = get(client, "min_rating=4")

    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "public, max-age=60, stale-while-revalidate=300"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Link"] == DESCRIBED_BY
    assert response.headers["ETag"].startswith('"')
    assert not {"Last-Modified", "Vary", "Set-Cookie", "Allow"} & response.headers.keys()
    result = json.loads(response.content)
    assert list(result) == ["matched", "returned", "reviews", "next_cursor"]
    assert [review["rating"] for review in result["reviews"]] == [5, 4]


def test_an_empty_database_answers_an_empty_result(client, db):
    expected = b'{"matched":0,"returned":0,"reviews":[],"next_cursor":null}'

    assert get(client).content == expected


def test_accept_and_authorization_are_ignored(client, three_reviews):
    plain = get(client)
    fancy = get(client, accept="text/html, */*;q=0", authorization="Basic %%%")

    assert fancy.status_code == 200
    assert fancy.content == plain.content


def test_head_has_the_headers_of_get_without_a_body(client, three_reviews):
    got, asked = get(client, "limit=1"), client.head(PATH, {"limit": "1"})

    assert asked.status_code == 200
    assert asked.content == b""
    for name in ("ETag", "Link", "Content-Type", "Cache-Control", "Content-Length"):
        assert asked.headers[name] == got.headers[name]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused_with_what_is_allowed(client, db, method):
    response = getattr(client, method)(PATH)

    assert response.status_code == 405
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert json.loads(response.content)["status"] == 405


def test_a_slash_at_the_end_is_another_address(client, db):
    assert client.get(f"{PATH}/").status_code == 404


# --- Pages ----------------------------------------------------------------------------------------


def test_the_link_to_the_next_page_leads_through_all_reviews(client, three_reviews):
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


# --- Conditional requests -------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
def test_a_client_that_holds_the_answer_gets_304(client, three_reviews, form):
    full = get(client, "limit=1")

    response = get(client, "limit=1", if_none_match=form.format(full.headers["ETag"]))

    assert response.status_code == 304
    assert response.getvalue() == b""
    for name in ("ETag", "Link", "Cache-Control", "Access-Control-Allow-Origin"):
        assert response.headers[name] == full.headers[name]
    assert not {"Content-Type", "Content-Length"} & response.headers.keys()


@pytest.mark.parametrize("tag", ['"other"', "rubbish", '"', "W/", ","])
def test_a_client_that_holds_something_else_gets_the_answer(client, three_reviews, tag):
    assert get(client, if_none_match=tag).status_code == 200


def test_if_modified_since_is_no_question_to_a_search(client, three_reviews):
    response = get(client, if_modified_since="Fri, 31 Dec 2100 23:59:59 GMT")

    assert response.status_code == 200


def test_a_repeated_search_is_answered_without_the_database(
    client, three_reviews, django_assert_num_queries
):
    etag = get(client, "query=stars").headers["ETag"]

    with django_assert_num_queries(0):
        assert get(client, "query=stars").status_code == 200
        assert get(client, "query=stars", if_none_match=etag).status_code == 304


# --- What cannot be answered ----------------------------------------------------------------------


def test_mistakes_are_answered_with_all_issues(client, db):
    response = get(client, b"rating=6&limit=x&query=%ff")

    assert response.status_code == 400
    assert response.headers["Content-Type"] == "application/json"
    problem = json.loads(response.content)
    assert list(problem) == ["type", "title", "status", "detail", "issues"]
    assert [issue["code"] for issue in problem["issues"]] == [
        "too_big",
        "invalid_text",
        "invalid_type",
    ]


def test_an_unreachable_database_is_answered_with_503(client, db, monkeypatch):
    def unreachable():
        raise OperationalError("server closed the connection")

    monkeypatch.setattr("reviews.revision_watch.revision", unreachable)

    response = get(client)

    assert response.status_code == 503
    assert "Retry-After" in response.headers
    assert b"server closed" not in response.content


PIECES = st.sampled_from(
    [each.name.encode() for each in SEARCH]
    + [b"=", b"=", b"&", b"+", b"%", b"%00", b"%ff", b"%25", b"5", b"leak", b"a", b"\xf0\x9f\x91"]
    + [b"2026-01-01", b"cursor=" + SEARCH[-1].example.encode(), b"query=%22", b"query=_"]
)


@pytest.mark.django_db
@given(raw=st.lists(PIECES | st.binary(max_size=6), max_size=15).map(b"".join))
def test_any_bytes_are_answered_with_200_or_400(raw):
    response = get(Client(), raw)

    assert response.status_code in {200, 400}
    assert response.headers["Content-Type"] == "application/json"
    json.loads(response.content)


@pytest.mark.django_db
@given(
    query=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
)
def test_any_text_is_found_by_itself(query):
    Review.objects.bulk_create([build_review(text=f"…{query}…"), build_review(text="Another")])
    forget()
    needle = fold_for_search(query)
    expected = sum(needle in text for text in Review.objects.values_list("text_folded", flat=True))

    found = json.loads(get(Client(), f"query={quote(query)}&limit=1").content)

    assert found["matched"] == expected >= 1
