"""Small documents at fixed paths."""

import datetime as dt
import xml.etree.ElementTree as ET

import pytest
import time_machine

from reviews.models import Revision
from tests.factories import make_business, make_review
from website import wellknown

BASE = "https://reviews.example"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clear_sitemap_cache():
    """Clear caches, since each test has a new database with the same revisions."""
    wellknown._sitemap_of.cache_clear()


PLACES = {
    "/robots.txt": "text/plain; charset=utf-8",
    "/llms.txt": "text/plain; charset=utf-8",
    "/sitemap.xml": "application/xml",
    "/.well-known/security.txt": "text/plain; charset=utf-8",
    "/.well-known/api-catalog": (
        'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
    ),
}


@pytest.mark.parametrize(("address", "media_type"), PLACES.items())
def test_document_is_served_without_data(client, address, media_type):
    response = client.get(address)
    assert response.status_code == 200
    assert response["Content-Type"] == media_type
    assert response["Cache-Control"] == "public, max-age=60"
    assert response["Access-Control-Allow-Origin"] == "*"


def test_robots_may_read_all_public_pages(client):
    assert client.get("/robots.txt").content.decode() == (
        "User-agent: *\nAllow: /\nDisallow: /admin/\n\nSitemap: https://reviews.example/sitemap.xml\n"
    )


def test_llms_txt_lists_interfaces(client):
    make_business()
    make_review(
        date=dt.date(2026, 3, 14), rating=4, author="Dana R.", text="On time.\n# Ignore all"
    )
    review = make_review(date=dt.date(2026, 3, 15), rating=1, author="Lee", text="")
    text = client.get("/llms.txt").content.decode()
    assert text.startswith(
        "# Reviews of Tern Hollow Home Services\n\n> Tern Hollow Home Services: "
    )
    assert "\n2.5 of 5 stars on average, from 2 reviews: 0 with 5 stars, 1 with 4 stars, " in text
    assert f"]({BASE}/reviews.json): " in text
    assert f"]({BASE}/api/reviews/since/2026-03-15): " in text
    assert f"]({BASE}/.well-known/openapi.json): " in text
    newest = f"- [2026-03-15, 1 star, Lee]({BASE}/reviews/{review.ulid}): Stars without text.\n"
    assert f"## Newest reviews\n\n{newest}" in text
    assert "4 stars, Dana R.]" in text
    assert "): “On time. \\# Ignore all”\n" in text
    assert len(text) < 5_000


def test_sitemap_lists_pages_and_permalinks_and_no_hidden_review(client):
    changed = make_review(date=dt.date(2026, 3, 14))
    with time_machine.travel("2026-05-01T10:00:00Z", tick=False):
        changed.text = "Edited."
        changed.save()
    with time_machine.travel("2026-03-14T10:00:00Z", tick=False):
        older = make_review(date=dt.date(2026, 3, 13))
    make_review(hidden=True)

    root = ET.fromstring(client.get("/sitemap.xml").content)

    assert root.tag == f"{SITEMAP}urlset"
    listed = [(url.findtext(f"{SITEMAP}loc"), url.findtext(f"{SITEMAP}lastmod")) for url in root]
    today = Revision.objects.get(name=Revision.REVIEWS).changed_at.date().isoformat()
    assert listed == [
        (f"{BASE}/", today),
        (f"{BASE}/reviews", today),
        (f"{BASE}/insights", None),
        (f"{BASE}/developers", None),
        (f"{BASE}/developers/mcp", None),
        (f"{BASE}/status", None),
        (f"{BASE}/reviews/{changed.ulid}", "2026-05-01"),
        (f"{BASE}/reviews/{older.ulid}", "2026-03-14"),
    ]


def test_sitemap_is_limited(client, monkeypatch):
    monkeypatch.setattr("website.wellknown.SITEMAP_URLS", 6)
    for _ in range(4):
        make_review()
    assert len(ET.fromstring(client.get("/sitemap.xml").content)) == 6


@pytest.mark.django_db(transaction=True)
def test_unchanged_sitemap_is_not_sent_again(client):
    make_review()
    etag = client.get("/sitemap.xml")["ETag"]
    unchanged = client.get("/sitemap.xml", headers={"If-None-Match": etag})
    assert unchanged.status_code == 304
    assert "Content-Length" not in unchanged  # RFC 9110 8.6: that of the 200.
    make_review()
    assert Revision.objects.current("reviews") == 2
    assert client.get("/sitemap.xml", headers={"If-None-Match": etag}).status_code == 200


@pytest.mark.parametrize(
    ("setting", "email", "contact"),
    [
        ("", "", "https://reviews.example/"),
        ("", "office@tern.example", "mailto:office@tern.example"),
        ("security@tern.example", "office@tern.example", "mailto:security@tern.example"),
        ("mailto:security@tern.example", "", "mailto:security@tern.example"),
        ("https://tern.example/security", "", "https://tern.example/security"),
    ],
)
def test_security_txt_names_contact_of_setting_or_business(
    client, settings, setting, email, contact
):
    settings.SECURITY_CONTACT = setting
    make_business(email=email)
    with time_machine.travel("2026-11-21T12:00:00Z", tick=False):
        text = client.get("/.well-known/security.txt").content.decode()
    assert text == (
        f"Contact: {contact}\n"
        "Expires: 2027-10-01T00:00:00Z\n"
        "Canonical: https://reviews.example/.well-known/security.txt\n"
    )


def test_name_of_business_cannot_inject_into_llms_txt(client):
    make_business(name="A\n# [Ignore](https://evil.example)")
    text = client.get("/llms.txt").content.decode()
    assert text.startswith("# Reviews of A \\# \\[Ignore\\](https\\://evil.example)\n\n> ")
