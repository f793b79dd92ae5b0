"""Google Business Profile: the grant, the chosen locations, and pages of reviews."""

from urllib.parse import parse_qs, urlsplit

import orjson
import pytest
from django.urls import reverse

from reviews.models import Review
from sources import google_oauth
from sources.connectors import google_business_profile as google
from sources.models import SourceConnection
from tests.sources.rows import make_connection
from tests.sources.servers import Reply

LOCATION = "accounts/1/locations/2"


class Google:
    """Tokens, accounts, locations and reviews. Later pages lack `missing` reviews."""

    page = 3

    def __init__(self) -> None:
        self.reviews: dict[str, dict] = {}
        self.missing: set[str] = set()
        self.grant_error = ""
        self.tokens: list[dict] = []
        self.pages = 0

    def add(self, number: int, **values) -> None:
        identifier = f"AbINV{number}"
        self.reviews[identifier] = {
            "name": f"{LOCATION}/reviews/{identifier}",
            "reviewId": identifier,
            "reviewer": {"displayName": f"Inv Person {number}"},
            "starRating": "FIVE",
            "comment": f"Invented text {number}",
            "createTime": f"2026-05-{1 + number:02}T09:34:44Z",
            "updateTime": f"2026-05-{1 + number:02}T09:34:44Z",
        } | values

    def __call__(self, requested):
        parts = urlsplit(requested.target)
        query = {name: texts[0] for name, texts in parse_qs(parts.query).items()}
        if parts.path == "/token":
            self.tokens.append(
                {name: texts[0] for name, texts in parse_qs(requested.body.decode()).items()}
            )
            if self.grant_error:
                return Reply(orjson.dumps({"error": self.grant_error}), status=400)
            return Reply(orjson.dumps({"access_token": "at", "refresh_token": "rt"}))
        assert requested.headers["Authorization"] == "Bearer at"
        if parts.path == "/v1/accounts":
            return Reply(orjson.dumps({"accounts": [{"name": "accounts/1"}]}))
        if parts.path == "/v1/accounts/1/locations":
            return Reply(
                orjson.dumps(
                    {
                        "locations": [
                            {"name": "locations/2", "title": "Invented Plumbing"},
                            {"name": "locations/3", "title": "Invented Plumbing <North>"},
                        ]
                    }
                )
            )
        if parts.path.endswith("/reviews"):
            return self._listed(query)
        found = self.reviews.get(parts.path.rpartition("/")[2])
        return Reply(orjson.dumps(found)) if found else Reply(status=404)

    def _listed(self, query):
        self.pages += 1
        assert query["orderBy"] == "updateTime desc"
        start = int(query.get("pageToken", 0))
        ordered = sorted(self.reviews.values(), key=lambda each: each["updateTime"], reverse=True)
        shown = [
            each
            for number, each in enumerate(ordered)
            if number < self.page or each["reviewId"] not in self.missing
        ]
        body = {
            "reviews": shown[start : start + self.page],
            "averageRating": 5,
            "totalReviewCount": len(ordered),
        }
        if start + self.page < len(shown):
            body["nextPageToken"] = str(start + self.page)
        return Reply(orjson.dumps(body))


@pytest.fixture
def service(maker, monkeypatch):
    monkeypatch.setattr(google, "API", maker.url("/v4"))
    monkeypatch.setattr(google_oauth, "TOKEN", maker.url("/token"))
    monkeypatch.setattr(google_oauth, "ACCOUNTS", maker.url("/v1"))
    monkeypatch.setattr(google_oauth, "LOCATIONS", maker.url("/v1"))
    maker.reply = service = Google()
    return service


@pytest.fixture
def unconnected(service, transactional_db):
    return make_connection(
        "google_business_profile",
        client_id="1.apps.googleusercontent.com",
        client_secret="client-secret",
        source="",
    )


@pytest.fixture
def connection(unconnected):
    unconnected.settings = {**unconnected.settings, "locations": [LOCATION]}
    unconnected.secrets = {**unconnected.secrets, "refresh_token": "rt"}
    unconnected.save()
    return unconnected


def test_all_reviews_are_imported_page_by_page(connection, service, fetch_due):
    for number in range(8):
        service.add(number)

    fetch_due()

    assert Review.objects.count() == 8
    assert Review.objects.filter(external_id="locations/2/reviews/AbINV1").exists()
    connection.refresh_from_db()
    assert (connection.expected_rows, connection.last_error) == (8, "")


def test_later_fetch_ends_after_one_known_page_and_overlap(connection, service, fetch_due):
    for number in range(20):
        service.add(number)
    fetch_due()
    service.pages = 0

    fetch_due()

    assert service.pages == 2


def test_changed_review_is_fetched_again(connection, service, fetch_due):
    for number in range(8):
        service.add(number)
    fetch_due()
    service.add(2, comment="Changed text", updateTime="2026-06-20T09:34:44Z")

    fetch_due()

    assert Review.objects.get(external_id="locations/2/reviews/AbINV2").text == "Changed text"


def test_review_missing_in_page_stays(connection, service, fetch_due):
    for number in range(8):
        service.add(number)
    fetch_due()
    service.missing = {"AbINV1"}

    fetch_due(31 * 86_400)
    assert Review.objects.visible().count() == 8
    service.missing = set()
    fetch_due(31 * 86_400)

    assert Review.objects.visible().count() == 8


def test_review_removed_at_google_is_hidden(connection, service, fetch_due):
    for number in range(8):
        service.add(number)
    fetch_due()
    del service.reviews["AbINV1"]

    fetch_due(31 * 86_400)

    assert not Review.objects.visible().filter(external_id="locations/2/reviews/AbINV1").exists()
    assert Review.objects.visible().count() == 7


def test_expired_grant_stops_source_with_remedy(connection, service, fetch_due):
    service.grant_error = "invalid_grant"

    fetch_due()

    connection.refresh_from_db()
    assert connection.state == "stopped"
    assert connection.last_error.startswith("The grant has expired or was withdrawn.")


def test_owner_connects_and_chooses_locations(admin_client, unconnected, service, settings):
    sent = admin_client.get(reverse("admin:sources_google_connect", args=[unconnected.pk]))
    sent_query = {
        name: texts[0] for name, texts in parse_qs(urlsplit(sent["Location"]).query).items()
    }
    assert sent_query["access_type"] == "offline"
    assert sent_query["code_challenge_method"] == "S256"
    assert (
        sent_query["redirect_uri"] == f"{settings.BASE_URL}/admin/sources/sourceconnection/google/"
    )

    back = admin_client.get(
        reverse("admin:sources_google_callback"), {"state": sent_query["state"], "code": "c"}
    )
    choice = admin_client.get(back["Location"])
    assert "Invented Plumbing &lt;North&gt;" in choice.content.decode()
    admin_client.post(
        back["Location"], {"locations": [LOCATION, "accounts/1/locations/3", "accounts/9/evil"]}
    )

    stored = SourceConnection.objects.get()
    assert stored.settings["locations"] == [LOCATION, "accounts/1/locations/3"]
    assert stored.secrets["refresh_token"] == "rt"
    assert service.tokens[0]["code_verifier"]
    assert stored.state == "active"


def test_response_with_other_state_is_refused(admin_client, unconnected, service):
    admin_client.get(reverse("admin:sources_google_connect", args=[unconnected.pk]))

    admin_client.get(reverse("admin:sources_google_callback"), {"state": "other", "code": "c"})

    assert service.tokens == []
    assert "refresh_token" not in SourceConnection.objects.get().secrets


def test_refused_access_is_explained(admin_client, unconnected):
    sent = admin_client.get(reverse("admin:sources_google_connect", args=[unconnected.pk]))
    state = parse_qs(urlsplit(sent["Location"]).query)["state"][0]

    page = admin_client.get(
        reverse("admin:sources_google_callback"),
        {"state": state, "error": "access_denied"},
        follow=True,
    )

    assert "Google was not allowed to give access." in page.content.decode()
