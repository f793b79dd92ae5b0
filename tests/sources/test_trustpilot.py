"""Trustpilot: the API with a key, and webhooks of several events."""

from urllib.parse import parse_qs, urlsplit

import orjson
import pytest

from reviews.models import Review
from sources import runs, selectors
from tests.sources.rows import make_connection, make_form
from tests.sources.servers import Reply

UNIT = "46d6a890ffa235a75b00021d"


def event(number: int, name: str = "service-review-created", **values) -> dict:
    data = {
        "id": f"{number:024x}",
        "language": "en",
        "title": "Quick visit",
        "text": f"Invented text {number}.",
        "referenceId": "R-1",
        "stars": 5,
        "createdAt": "2026-05-20T09:34:44.000Z",
        "isVerified": True,
        "link": f"https://api.example.com/v1/reviews/{number}",
        "consumer": {"id": "c1", "name": f"Invented Person {number}", "link": "https://x.example"},
        "tags": [{"group": "Generic", "value": "x"}],
    }
    return {"eventName": name, "version": "1", "eventData": data | values}


def review(number: int) -> dict:
    return {
        "id": f"{number:024x}",
        "stars": 5,
        "title": "Quick visit",
        "text": f"Invented text {number}.",
        "language": "en",
        "createdAt": "2026-05-20T09:34:44Z",
        "updatedAt": None,
        "consumer": {"id": "c", "displayName": f"Invented Person {number}"},
        "businessUnit": {"id": UNIT},
        "companyReply": None,
        "status": "active",
    }


@pytest.fixture
def connection(maker, recipes, transactional_db):
    path = recipes / "trustpilot.toml"
    path.write_text(path.read_text().replace("100", "5"))
    return make_connection("trustpilot", business="www.example.com", key="tp-secret", source="")


class Api:
    def __init__(self, count: int) -> None:
        self.reviews = [review(number) for number in range(count, 0, -1)]
        self.pages = 0

    def __call__(self, requested):
        assert requested.headers["apikey"] == "tp-secret"
        parts = urlsplit(requested.target)
        query = {name: texts[0] for name, texts in parse_qs(parts.query).items()}
        if parts.path == "/v1/business-units/find":
            assert query == {"name": "www.example.com"}
            return Reply(orjson.dumps({"id": UNIT, "displayName": "Invented Plumbing"}))
        assert parts.path == f"/v1/business-units/{UNIT}/reviews"
        self.pages += 1
        start = (int(query["page"]) - 1) * 5
        return Reply(orjson.dumps({"links": [], "reviews": self.reviews[start : start + 5]}))


def test_all_pages_are_imported(connection, maker, look):
    maker.reply = Api(12)

    look()

    connection.refresh_from_db()
    assert (Review.objects.count(), connection.last_error) == (12, "")


def test_look_without_news_reads_one_page_and_makes_no_batch(connection, maker, look):
    maker.reply = api = Api(12)
    look()
    api.pages = 0

    look()

    assert api.pages == 1
    connection.refresh_from_db()
    assert connection.looks_without_change == 1


def test_new_review_is_found(connection, maker, look):
    maker.reply = api = Api(12)
    look()
    api.reviews.insert(0, review(13))

    look()

    assert Review.objects.visible().count() == 13


@pytest.mark.parametrize(
    "given",
    ["www.example.com", "https://www.trustpilot.com/review/www.example.com?stars=5"],
)
def test_domain_is_taken_from_pasted_address(given):
    form = make_form("trustpilot", {"business": given})

    assert form.is_valid(), form.errors
    assert form.cleaned_data["business"] == "www.example.com"


def push(client, connection, body):
    address = selectors.push_address(connection)
    return client.post(
        address[address.index("/api/") :], orjson.dumps(body), content_type="application/json"
    )


def test_events_of_one_body_are_all_imported(client, connection):
    answer = push(client, connection, {"events": [event(1), event(2), event(3)]})
    runs.import_stored()

    assert answer.status_code == 202
    assert answer.json()["received"] == 3
    assert Review.objects.count() == 3


def test_bad_event_of_three_leaves_the_others(client, connection):
    answer = push(client, connection, {"events": [event(1), event(2, stars="many"), event(3)]})
    runs.import_stored()

    assert answer.status_code == 202
    assert Review.objects.count() == 2


def test_deletion_hides_its_review_alone(client, connection):
    push(client, connection, {"events": [event(1), event(2)]})
    runs.import_stored()

    answer = push(client, connection, {"events": [event(2, "service-review-deleted")]})
    runs.import_stored()

    assert answer.status_code == 202
    assert [each.external_id for each in Review.objects.visible()] == [f"{1:024x}"]


def test_many_deletions_wait_for_a_person(client, connection):
    push(client, connection, {"events": [event(number) for number in range(30)]})
    runs.import_stored()

    gone = [event(number, "service-review-deleted") for number in range(5)]
    push(client, connection, {"events": gone})
    runs.import_stored()

    assert Review.objects.visible().count() == 30
    assert connection.runs.filter(state="waiting").count() == 1


@pytest.mark.parametrize("events", [[], [{"eventName": "test", "eventData": {}}], ["x", None]])
def test_test_of_webhook_imports_nothing(client, connection, events):
    answer = push(client, connection, {"events": events})
    runs.import_stored()

    assert answer.status_code == 202
    assert Review.objects.count() == 0


def test_body_without_events_is_refused_with_remedy(client, connection):
    answer = push(client, connection, {"reviews": []})

    assert answer.status_code == 422
    assert "events" in answer.json()["detail"]
