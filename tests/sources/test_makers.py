"""The shipped recipes, each with a simulated server of its maker."""

import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from reviews.models import Review
from sources import polling, runs
from sources.connectors import RECIPES
from sources.models import SourceRun
from tests.sources.rows import make_connection, make_form, post
from tests.sources.servers import Reply, conditional, maker_server

BODIES = json.loads((Path(__file__).parent / "makers.json").read_text(encoding="utf-8"))
SIZE = 5  # Reviews per page.


def body_of(kind: str, number: int = 1) -> Any:
    return json.loads(json.dumps(BODIES[kind]).replace("@", f"{number:02}"))


def answer(body: Any, status: int = 200) -> Reply:
    return Reply(json.dumps(body).encode(), status)


@dataclass
class Service:
    """A maker with these reviews, newest first. An order is ready after some polls."""

    kind: str
    numbers: list[int] = field(default_factory=lambda: list(range(12)))
    questions: int = 1
    ordered: int = 0
    pages: int = 0

    def __call__(self, requested):
        parts = urlsplit(requested.target)
        query = {name: texts[0] for name, texts in parse_qs(parts.query).items()}
        return getattr(self, self.kind)(requested, parts.path, query)

    def reviews(self, start: int = 0, size: int = SIZE) -> list[Any]:
        self.pages += 1
        return [body_of(self.kind, number) for number in self.numbers[start : start + size]]

    def is_ready(self) -> bool:
        self.questions -= 1
        return self.questions < 0

    def apify(self, requested, path, query):
        return conditional(json.dumps(self.reviews(size=99)).encode())(requested)

    def outscraper(self, requested, path, query):
        if path == "/maps/reviews-v3":
            self.ordered += 1
            return answer({"id": f"request-{self.ordered}", "status": "Pending"}, 202)
        request = path.rpartition("/")[2]
        if request.startswith("request-") and not self.is_ready():
            return answer({"id": request, "status": "Pending"})
        place = {"query": "P", "name": "Invented Plumbing", "reviews_data": self.reviews(size=99)}
        return answer({"id": request, "status": "Success", "data": [place]})

    def dataforseo(self, requested, path, query):
        if path.endswith("task_post"):
            self.ordered += 1
            return answer(task(20100, "Task Created."))
        if not self.is_ready():
            return answer(task(40602, "Task In Queue."))
        return answer(task(20000, reviews=self.reviews(size=99)))

    def serpapi(self, requested, path, query):
        start = int(query.get("next_page_token", 0))
        body = {
            "search_metadata": {"id": "s", "status": "Success"},
            "place_info": {"title": "Invented Plumbing", "rating": 5.0, "reviews": 12},
            "reviews": self.reviews(start),
        }
        if start + SIZE < len(self.numbers):
            body["serpapi_pagination"] = {"next_page_token": str(start + SIZE)}
        return answer(body)

    def trustpilot(self, requested, path, query):
        if path == "/v1/business-units/find":
            return answer({"id": "UNIT", "displayName": "Invented Plumbing"})
        return answer({"links": [], "reviews": self.reviews((int(query["page"]) - 1) * SIZE)})


def task(code: int, message: str = "Ok.", reviews: list[Any] | None = None) -> dict[str, Any]:
    """Return a document of DataForSEO."""
    result = {"type": "reviews", "title": "Invented", "place_id": "P", "reviews_count": 12}
    found = [result | {"items_count": len(reviews), "items": reviews}] if reviews else None
    tasks = [{"id": "t-1", "status_code": code, "status_message": message, "result": found}]
    return {"version": "0.1", "status_code": 20000, "status_message": "Ok.", "tasks": tasks}


GIVEN = {
    "apify": {"task": "inv~google-reviews", "key": "s3cret"},
    "outscraper": {"place": "ChIJx", "most": 50, "key": "s3cret"},
    "dataforseo": {
        "place_id": "ChIJx", "location": "United States", "language": "en", "most": 100,
        "login": "owner@example.com", "password": "s3cret",
    },
    "serpapi": {"place_id": "ChIJx", "language": "en", "key": "s3cret"},
    "trustpilot": {"business": "www.example.com", "key": "s3cret"},
}  # fmt: skip
LAST_RUN = "/v2/actor-tasks/inv~google-reviews/runs/last/dataset/items"
REVIEWS = "/v3/business_data/google/reviews"
UNITS = "/v1/business-units"
ORDER = "/maps/reviews-v3?query=ChIJx&reviewsLimit=50&limit=1&sort=newest&async=true"
SEARCH = "/search.json?engine=google_maps_reviews&place_id=ChIJx&hl=en&sort_by=newestFirst"
PAGE = f"{SEARCH}&num=20&next_page_token="
KEY = "&api_key=s3cret"
NEWEST = f"{UNITS}/UNIT/reviews?perPage=5&orderBy=createdat.desc&page="
REQUESTS = {
    "apify": [f"{LAST_RUN}?status=SUCCEEDED&format=json&clean=1"],
    "outscraper": [ORDER, "/requests/request-1", "/requests/request-1"],
    "dataforseo": [f"{REVIEWS}/task_post", *[f"{REVIEWS}/task_get/t-1"] * 2],
    "serpapi": [SEARCH + KEY, f"{PAGE}5{KEY}", f"{PAGE}10{KEY}"],
    "trustpilot": [f"{UNITS}/find?name=www.example.com", *(f"{NEWEST}{n}" for n in (1, 2, 3))],
}
SECRET_HEADERS = {
    "apify": ("Authorization", "Bearer s3cret"),
    "outscraper": ("X-API-KEY", "s3cret"),
    "dataforseo": ("Authorization", "Basic b3duZXJAZXhhbXBsZS5jb206czNjcmV0"),
    "trustpilot": ("apikey", "s3cret"),
}


@pytest.fixture
def connect(maker, recipes, transactional_db):
    """Connect a source to a maker's server, which is returned with it."""
    path = recipes / "trustpilot.toml"
    path.write_text(path.read_text().replace("100", str(SIZE)))

    def connect(kind: str, *, reply: Reply | None = None, **given: Any):
        service = Service(kind)
        maker.reply = reply or service
        return make_connection(kind, source="", **(given or GIVEN[kind])), service

    return connect


@pytest.fixture
def push(client) -> Callable[..., Any]:
    def push(connection, body, **headers):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return post(client, connection, content, headers=headers)

    return push


def signed(body: Any) -> dict[str, str]:
    """Return the header with which Outscraper signs a webhook."""
    digest = hmac.new(b"s3cret", json.dumps(body).encode(), hashlib.sha256).hexdigest()
    return {"X-Hub-Signature-256": f"sha256={digest}"}


@pytest.mark.parametrize("kind", RECIPES)
def test_all_reviews_are_imported(connect, maker, fetch_due, kind):
    connection, _ = connect(kind)

    for _ in range(3 if kind in {"outscraper", "dataforseo"} else 1):
        fetch_due(61)

    connection.refresh_from_db()
    assert (Review.objects.count(), connection.last_error) == (12, "")
    assert [each.target for each in maker.requests] == REQUESTS[kind]
    if kind in SECRET_HEADERS:
        name, value = SECRET_HEADERS[kind]
        assert {each.headers[name] for each in maker.requests} == {value}
        assert not any("s3cret" in each.target for each in maker.requests)
    assert connection.expected_rows == {"dataforseo": 12, "serpapi": 12}.get(kind)


@pytest.mark.parametrize("kind", ["apify", "serpapi", "trustpilot"])
def test_fetch_without_new_reviews_reads_one_page_and_makes_no_batch(connect, fetch_due, kind):
    connection, service = connect(kind)
    fetch_due(86_400)
    service.pages = 0

    fetch_due(2 * 86_400)

    assert (service.pages, SourceRun.objects.count()) == (1, 1)
    connection.refresh_from_db()
    assert connection.looks_without_change == 1


@pytest.mark.parametrize("kind", ["serpapi", "trustpilot"])
def test_new_review_is_found_and_all_pages_are_read_monthly(connect, fetch_due, kind):
    _, service = connect(kind)
    fetch_due(86_400)
    service.numbers.insert(0, 99)
    fetch_due(2 * 86_400)
    assert Review.objects.visible().count() == 13
    service.pages = 0

    fetch_due(31 * 86_400)

    assert service.pages == 3


def test_place_without_reviews_is_no_failure(connect, maker, fetch_due):
    connection, _ = connect("serpapi")
    maker.reply = answer({"search_metadata": {"status": "Success"}, "error": "No results."})

    fetch_due()

    connection.refresh_from_db()
    assert (connection.last_error, Review.objects.count()) == ("", 0)


@pytest.mark.parametrize(
    ("kind", "reply", "message"),
    [
        ("apify", Reply(b"{}", status=401), ("stopped", "127.0.0.1 refuses access")),
        ("outscraper", answer({"error": True, "errorMessage": "No credit\nleft."}),
         ("active", "Outscraper says: No credit left. Check the settings and the account.")),
        ("dataforseo", answer(task(40501, "Invalid Field: 'x'.")),
         ("active", "DataForSEO says: Invalid Field: 'x' (40501). Check the settings")),
        ("dataforseo", answer(task(40100, "You are not Authorized.")),
         ("stopped", "DataForSEO refuses access: You are not Authorized (40100).")),
        ("serpapi", answer({"search_metadata": {"status": "Error"}, "error": "No results."}),
         ("active", "SerpApi says: No results. Check the settings and the account.")),
    ],
)  # fmt: skip
def test_error_of_maker_is_reported(connect, fetch_due, kind, reply, message):
    connection, _ = connect(kind, reply=reply)

    fetch_due()

    connection.refresh_from_db()
    assert (connection.state, connection.last_error[: len(message[1])]) == message


@pytest.mark.parametrize("kind", ["outscraper", "dataforseo"])
def test_job_is_stored_and_not_ordered_twice(connect, fetch_due, kind):
    connection, service = connect(kind)
    service.questions = 3

    fetch_due(61)
    connection.refresh_from_db()
    assert connection.fetch_state["job"]
    for _ in range(4):
        fetch_due(61)

    connection.refresh_from_db()
    assert (service.ordered, Review.objects.count(), connection.fetch_state) == (1, 12, {})


@pytest.mark.parametrize(
    ("kind", "given", "value"),
    [
        ("apify", "https://console.apify.com/actors/tasks/aB3dE/runs", "actor-tasks/aB3dE"),
        ("apify", "https://console.apify.com/actors/Xb8osYTtOjlsgI/input", "acts/Xb8osYTtOjlsgI"),
        ("apify", "https://api.apify.com/v2/actor-tasks/you~mine/runs", "actor-tasks/you~mine"),
        ("apify", "you/google-reviews", "actor-tasks/you~google-reviews"),
        ("trustpilot", "www.example.com", "www.example.com"),
        ("trustpilot", "https://www.trustpilot.com/review/www.example.com?stars=5",
         "www.example.com"),
    ],
)  # fmt: skip
def test_setting_is_extracted_from_pasted_url(kind, given, value):
    name = {"apify": "task", "trustpilot": "business"}[kind]
    form = make_form(kind, {name: given, "key": "k"})

    assert form.is_valid(), form.errors
    assert form.cleaned_data[name] == value


@pytest.mark.parametrize(
    ("kind", "given", "name", "words"),
    [
        ("apify", {"task": "https://example.com/?x=1"}, "task", "copy the address"),
        ("dataforseo", {"most": 10}, "place_id", "Enter “Place id” or “Name and town, instead”."),
        ("serpapi", {"language": "en"}, "place_id", "Enter “Place id” or “Data id, instead”."),
    ],
)
def test_missing_or_wrong_setting_is_refused_with_remedy(kind, given, name, words):
    assert words in make_form(kind, {"key": "k", **given}).errors[name][0]


def test_notice_of_finished_run_fetches_results(connect, push, fetch_due):
    connection, service = connect("apify")
    fetch_due()
    service.numbers.append(99)

    for event in ("ACTOR.RUN.FAILED", "ACTOR.RUN.ABORTED", "ACTOR.RUN.TIMED_OUT"):
        failed = body_of("apify notice") | {"eventType": event}
        assert push(connection, failed).status_code == 202
        assert polling.poll_due() == 0

    assert push(connection, body_of("apify notice")).status_code == 202
    polling.poll_due()
    assert Review.objects.count() == 13


def test_announced_results_are_fetched_beside_own_order(connect, push, maker, fetch_due):
    connection, service = connect("outscraper")
    service.questions = 99
    fetch_due(31)

    with maker_server() as other:  # A URL in a notice is never requested.
        for number in (1, 2, 3):
            changed = {"id": f"elsewhere-{number}", "results_location": other.url("/x")}
            notice = body_of("outscraper notice") | changed
            assert push(connection, notice, **signed(notice)).status_code == 202
        polling.poll_due()

    assert other.requests == []
    fetched = [each.target for each in maker.requests[1:4]]
    assert fetched == [f"/requests/elsewhere-{number}" for number in (1, 2, 3)]
    connection.refresh_from_db()
    assert (connection.fetch_state["job"], connection.announced) == ("request-1", [])
    assert Review.objects.count() == 12


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"status": "FAILURE"}, 202),
        *(({"id": each}, 422) for each in ("../maps/reviews-v3", "..", "a/b", "a?b", "", {"a": 1})),
    ],
)
def test_failed_request_or_forged_id_is_not_fetched(connect, push, changed, status):
    connection, _ = connect("outscraper")
    notice = body_of("outscraper notice") | changed

    assert push(connection, notice, **signed(notice)).status_code == status

    connection.refresh_from_db()
    assert connection.announced == []


def test_signature_of_other_bytes_is_refused(connect, push, maker):
    connection, _ = connect("outscraper")
    notice = body_of("outscraper notice")
    indented = json.dumps(notice, indent=2).encode()

    for body, headers in (
        (notice, {"X-Hub-Signature-256": f"sha256={'0' * 64}"}),
        (indented, signed(notice)),
        (notice, {}),
    ):
        assert push(connection, body, **headers).status_code == 403
    assert maker.requests == []


def events(*numbers: int, name: str = "service-review-created", **values: Any) -> dict[str, Any]:
    found = [body_of("trustpilot event", number) | {"eventName": name} for number in numbers]
    for each in found:
        each["eventData"] |= values
    return {"events": found}


def test_events_are_imported_despite_a_bad_one(connect, push):
    connection, _ = connect("trustpilot", business="www.example.com")
    body = {"events": events(1, 2)["events"] + events(3, stars="many")["events"]}

    response = push(connection, body)
    runs.import_stored()

    assert (response.status_code, response.json()["received"]) == (202, 3)
    assert Review.objects.count() == 2


def test_deletion_hides_review_and_many_wait_for_approval(connect, push):
    connection, _ = connect("trustpilot", business="www.example.com")
    push(connection, events(*range(30)))
    runs.import_stored()

    push(connection, events(2, name="service-review-deleted"))
    runs.import_stored()
    assert list(Review.objects.filter(hidden=True).values_list("external_id", flat=True)) == [
        body_of("trustpilot event", 2)["eventData"]["id"]
    ]

    push(connection, events(*range(5, 10), name="service-review-deleted"))
    runs.import_stored()
    assert Review.objects.visible().count() == 29
    assert connection.runs.filter(state="waiting").count() == 1


@pytest.mark.parametrize(
    ("kind", "body", "says"),
    [
        ("apify", {"resource": {}}, (422, "eventType")),
        ("dataforseo", task(40501, "Invalid Field."), (422, "Invalid Field")),
        ("trustpilot", {"reviews": []}, (422, "events")),
        ("trustpilot", {"events": []}, (202, "nothing to import")),
        ("trustpilot", {"events": [{"eventName": "test", "eventData": {}}]}, (202, "nothing to")),
        ("trustpilot", {"events": ["x", None]}, (202, "nothing to import")),
    ],
)
def test_webhook_without_reviews_imports_nothing_with_reason(connect, push, kind, body, says):
    connection, _ = connect(kind)

    response = push(connection, body)

    assert response.status_code == says[0]
    assert says[1] in response.json()["detail"]
    assert not SourceRun.objects.exists()
