"""DataForSEO: tasks that are answered later, and postbacks."""

import gzip

import orjson
import pytest

from reviews.models import Review
from sources import runs, selectors
from tests.sources.rows import make_connection, make_form
from tests.sources.servers import Reply


def task(code: int, message: str = "Ok.", items: int = 0) -> dict:
    found = [
        {
            "type": "google_reviews_search",
            "rank_group": number + 1,
            "position": "left",
            "review_text": f"Invented text {number}",
            "original_review_text": None,
            "original_language": "en",
            "time_ago": "2 days ago",
            "timestamp": "2026-05-20 09:34:44 +00:00",
            "rating": {"rating_type": "Max5", "value": 5},
            "profile_name": f"Inv Person {number}",
            "review_url": f"https://www.google.com/maps/reviews/x{number}",
            "review_id": f"ChdINVENTED{number}",
            "owner_answer": "Thanks",
            "owner_timestamp": "2026-05-21 09:34:44 +00:00",
            "reviews_count": 3,
            "photos_count": 0,
            "local_guide": False,
        }
        for number in range(items)
    ]
    results = [
        {
            "type": "reviews",
            "title": "Invented Plumbing",
            "place_id": "P",
            "reviews_count": 20,
            "items_count": items,
            "items": found,
        }
    ]
    return {
        "version": "0.1",
        "status_code": 20000,
        "status_message": "Ok.",
        "tasks": [
            {
                "id": "t-1",
                "status_code": code,
                "status_message": message,
                "result": results if items else None,
            }
        ],
    }


def reply(*given, **more) -> Reply:
    return Reply(orjson.dumps(task(*given, **more)))


@pytest.fixture
def connection(maker, recipes, transactional_db):
    return make_connection(
        "dataforseo", place_id="ChIJinvented", location="United States", language="en", most=100,
        login="owner@example.com", password="secret", source="",
    )  # fmt: skip


def test_task_is_ordered_once_and_fetched_when_ready(connection, maker, look):
    replies = iter(
        [reply(20100, "Task Created."), reply(40602, "Task In Queue."), reply(20000, items=2)]
    )
    maker.reply = lambda requested: next(replies)

    for _ in range(3):
        look(61)

    assert [(each.method, each.target) for each in maker.requests] == [
        ("POST", "/v3/business_data/google/reviews/task_post"),
        ("GET", "/v3/business_data/google/reviews/task_get/t-1"),
        ("GET", "/v3/business_data/google/reviews/task_get/t-1"),
    ]
    assert orjson.loads(maker.requests[0].body) == [
        {
            "place_id": "ChIJinvented",
            "location_name": "United States",
            "language_code": "en",
            "depth": 100,
            "sort_by": "newest",
        }
    ]
    assert Review.objects.count() == 2
    connection.refresh_from_db()
    assert connection.expected_rows == 20
    assert connection.fetch_state == {}


def test_error_inside_success_is_told(connection, maker, look):
    maker.reply = reply(40501, "Invalid Field: 'location_name'.")

    look()

    connection.refresh_from_db()
    assert "Invalid Field: 'location_name' (40501)" in connection.last_error
    assert connection.state == "active"


def test_refused_login_inside_success_stops_source(connection, maker, look):
    maker.reply = reply(40100, "You are not Authorized.")

    look()

    connection.refresh_from_db()
    assert connection.state == "stopped"


def test_neither_place_nor_keyword_is_refused():
    form = make_form("dataforseo", {"location": "United States", "language": "en", "most": 10})

    assert form.errors["place_id"] == ["Enter “Place id” or “Name and town, instead”."]


def push(client, connection, body: bytes, **headers):
    address = selectors.push_address(connection)
    return client.post(
        address[address.index("/api/") :] + "?id=t-1",
        body,
        content_type="application/json",
        headers=headers,
    )


def test_gzip_postback_is_imported(client, connection):
    body = gzip.compress(orjson.dumps(task(20000, items=2)))

    answer = push(client, connection, body, **{"Content-Encoding": "gzip"})
    runs.import_stored()

    assert answer.status_code == 202, answer.json()
    assert answer.json()["received"] == 2
    assert Review.objects.count() == 2


def test_postback_that_unpacks_without_end_is_refused(client, connection, settings):
    settings.IMPORT_MAX_BYTES = 100_000
    body = gzip.compress(b"[" + b" " * 5_000_000)

    answer = push(client, connection, body, **{"Content-Encoding": "gzip"})

    assert answer.status_code == 413


def test_postback_of_failed_task_is_refused_with_its_reason(client, connection):
    answer = push(client, connection, orjson.dumps(task(40501, "Invalid Field.")))

    assert answer.status_code == 422
    assert "Invalid Field" in answer.json()["detail"]
