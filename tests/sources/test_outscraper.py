"""Outscraper: requests that are answered later, and signed webhooks."""

import hashlib
import hmac

import orjson
import pytest

from reviews.models import Review
from sources import polling, selectors
from tests.sources.rows import make_connection
from tests.sources.servers import Reply, maker_server

KEY = "outscraper-secret"
WEBHOOK = {
    "id": "elsewhere-1",
    "user_id": "u",
    "status": "SUCCESS",
    "api_task": True,
    "results_location": "https://api.outscraper.cloud/requests/elsewhere-1",
    "quota_usage": [{"product_name": "Google Maps Reviews", "quantity": 1}],
}


def results(request: str, *numbers: int) -> bytes:
    reviews = [
        {
            "google_id": "0x1",
            "review_id": f"ChdINVENTED{number}",
            "author_title": f"Inv Person {number}",
            "review_text": f"Invented text {number}",
            "review_rating": 5,
            "review_datetime_utc": "05/20/2026 09:34:44",
            "review_timestamp": 1779269684,
        }
        for number in numbers
    ]
    place = {"query": "P", "name": "Invented Plumbing", "place_id": "P", "reviews_data": reviews}
    return orjson.dumps({"id": request, "status": "Success", "data": [place]})


@pytest.fixture
def connection(maker, recipes, transactional_db):
    return make_connection("outscraper", place="ChIJinvented", most=50, key=KEY, source="")


class Service:
    """Takes requests, and has their results ready after `polls`."""

    def __init__(self, polls: int = 1) -> None:
        self.polls = polls
        self.ordered = 0

    def __call__(self, requested):
        if requested.target.startswith("/maps/reviews-v3?"):
            self.ordered += 1
            body = {"id": f"request-{self.ordered}", "status": "Pending"}
            return Reply(orjson.dumps(body), status=202)
        request = requested.target.rpartition("/")[2]
        if request.startswith("request-") and self.polls:
            self.polls -= 1
            return Reply(orjson.dumps({"id": request, "status": "Pending"}))
        return Reply(results(request, 1, 2))


def test_results_are_fetched_when_they_are_ready(connection, maker, look):
    maker.reply = service = Service(polls=2)

    for _ in range(4):
        look(31)

    assert service.ordered == 1
    assert Review.objects.count() == 2
    assert {each.headers["X-API-KEY"] for each in maker.requests} == {KEY}
    assert not any(KEY in each.target for each in maker.requests)


def test_request_under_way_is_not_ordered_again_by_killed_worker(connection, maker, look):
    maker.reply = service = Service(polls=1)
    look(31)
    connection.refresh_from_db()

    assert connection.fetch_state["job"] == "request-1"
    for _ in range(2):
        look(31)

    assert service.ordered == 1


def test_request_without_answer_is_given_up_after_two_hours(connection, maker, look):
    maker.reply = Service(polls=10_000)
    look(31)
    look(3 * 3600)

    connection.refresh_from_db()
    assert "2 hours" in connection.last_error
    assert connection.fetch_state == {}


def test_error_inside_success_is_told(connection, maker, look):
    maker.reply = Reply(orjson.dumps({"error": True, "errorMessage": "No credit\nleft."}))

    look()

    connection.refresh_from_db()
    assert connection.last_error == (
        "Outscraper says: No credit left. Check the settings and the account."
    )


def push(client, connection, body: bytes, signature: str | None = None):
    address = selectors.push_address(connection)
    digest = hmac.new(KEY.encode(), body, hashlib.sha256).hexdigest()
    return client.post(
        address[address.index("/api/") :],
        body,
        content_type="application/json",
        headers={"X-Hub-Signature-256": signature or f"sha256={digest}"},
    )


def test_announced_results_are_fetched_by_their_id(client, connection, maker, look):
    maker.reply = Service()
    look(31)

    answer = push(client, connection, orjson.dumps(WEBHOOK))
    polling.look_at_due()

    assert answer.status_code == 202
    assert maker.requests[-1].target == "/requests/elsewhere-1"
    assert Review.objects.count() == 2
    connection.refresh_from_db()
    assert connection.fetch_state["job"] == "request-1"
    assert connection.announced == []


def test_several_announced_results_are_all_fetched(client, connection, maker, look):
    maker.reply = Service(polls=0)
    for number in (1, 2, 3):
        push(client, connection, orjson.dumps(WEBHOOK | {"id": f"elsewhere-{number}"}))

    polling.look_at_due()

    fetched = [each.target for each in maker.requests]
    assert fetched[:3] == [f"/requests/elsewhere-{number}" for number in (1, 2, 3)]


def test_expired_results_are_passed_over(client, connection, maker):
    push(client, connection, orjson.dumps(WEBHOOK))
    maker.reply = Reply(status=404)

    polling.look_at_due(connection.pk)

    connection.refresh_from_db()
    assert connection.announced == []
    assert connection.last_error == ""


def test_wrong_signature_is_refused(client, connection, maker):
    answer = push(client, connection, orjson.dumps(WEBHOOK), signature="sha256=" + "0" * 64)

    assert answer.status_code == 403
    assert maker.requests == []


def test_signature_over_other_bytes_of_the_same_json_is_refused(client, connection):
    sent = orjson.dumps(WEBHOOK, option=orjson.OPT_INDENT_2)
    digest = hmac.new(KEY.encode(), orjson.dumps(WEBHOOK), hashlib.sha256).hexdigest()

    answer = push(client, connection, sent, signature=f"sha256={digest}")

    assert answer.status_code == 403


def test_results_on_foreign_host_are_never_asked(client, connection, maker):
    maker.reply = Service(polls=0)
    with maker_server() as other:
        location = other.url("/requests/elsewhere-1")
        answer = push(client, connection, orjson.dumps(WEBHOOK | {"results_location": location}))
        polling.look_at_due()

    assert answer.status_code == 202
    assert other.requests == []
    assert maker.requests[0].target == "/requests/elsewhere-1"


@pytest.mark.parametrize("identifier", ["../maps/reviews-v3", "..", "a/b", "a?b", "", {"a": 1}])
def test_announced_id_that_leads_elsewhere_is_refused(client, connection, maker, identifier):
    answer = push(client, connection, orjson.dumps(WEBHOOK | {"id": identifier}))

    assert answer.status_code == 422
    connection.refresh_from_db()
    assert connection.announced == []


def test_failed_request_is_ignored(client, connection, maker):
    answer = push(client, connection, orjson.dumps(WEBHOOK | {"status": "FAILURE"}))

    assert answer.status_code == 202
    connection.refresh_from_db()
    assert connection.announced == []
