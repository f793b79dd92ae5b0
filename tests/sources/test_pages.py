"""Pagination of a URL source: followed on the same host, missing pages reported."""

import gzip
import itertools
import json
from urllib.parse import parse_qs, urlsplit

import pytest

from reviews.models import Review
from sources import client as sources_client
from sources.admin.runs import SourceRunAdmin
from sources.client import SourceClient
from sources.connectors import CONNECTORS, paging
from sources.connectors.protocol import Poll
from sources.models import SourceRun
from sources.selectors import alarms
from tests.sources.rows import entries, entry, make_url_connection
from tests.sources.servers import Reply, maker_server

SIZE, COUNT = 2, 6


class Pages:
    """Six reviews, two on a page. `around(page, base)` returns the other members of a page."""

    def __init__(self, around, number, base=""):
        self.around, self.number, self.base = around, number, base
        self.headers = lambda page: {}
        self.queries = []

    def __call__(self, requested):
        query = {
            name: each[-1] for name, each in parse_qs(urlsplit(requested.target).query).items()
        }
        self.queries.append(query)
        page = self.number(query)
        rows = [entry(row) for row in range(SIZE * page, SIZE * (page + 1))]
        around = self.around(page)
        body = rows if around is None else {"reviews": rows, **around}
        return Reply(json.dumps(body).encode(), headers=self.headers(page))


def by(parameter, start=1, factor=1):
    """Return the page, counted from 0, that a parameter requests."""
    return lambda query: (int(query.get(parameter, start)) - start) // factor


def next_(page):
    """Return the number of the next page, from 1, or None on the last."""
    return page + 2 if SIZE * (page + 1) < COUNT else None


def address(page):
    return f"/r.json?page={next_(page)}" if next_(page) else None


KINDS = {
    "next": (lambda page: {"count": COUNT, "next": address(page)}, by("page")),
    "nextPage address": (lambda page: {"nextPage": address(page) or ""}, by("page")),
    "odata": (lambda page: {"@odata.nextLink": address(page)}, by("page")),
    "hal": (lambda page: {"_links": {"next": {"href": address(page)}}}, by("page")),
    "list of links": (
        lambda page: {"links": [{"rel": "self", "href": "/r.json"}]
                      + [{"rel": "next", "href": address(page)}] * bool(next_(page))},
        by("page"),
    ),
    "query alone": (lambda page: {"next": next_(page) and f"?page={next_(page)}"}, by("page")),
    "nextPageToken": (lambda page: {"nextPageToken": str(next_(page) or "")}, by("pageToken")),
    "next_page_token": (lambda page: {"next_page_token": next_(page)}, by("page_token")),
    "next_cursor": (
        lambda page: {"response_metadata": {"next_cursor": str(next_(page) or "")}}, by("cursor")
    ),
    "nextCursor": (lambda page: {"nextCursor": next_(page)}, by("cursor")),
    "nextToken": (lambda page: {"nextToken": next_(page)}, by("nextToken")),
    "next_page number": (lambda page: {"next_page": next_(page)}, by("page")),
    "next_offset": (
        lambda page: {"next_offset": SIZE * (page + 1) if next_(page) else None},
        by("offset", 0, SIZE),
    ),
    "page of total_pages": (lambda page: {"page": page + 1, "total_pages": 3}, by("page")),
    "laravel": (lambda page: {"meta": {"current_page": page + 1, "last_page": 3}}, by("page")),
    "spring": (lambda page: {"page": {"number": page, "totalPages": 3}}, by("page", 0)),
    "texts": (lambda page: {"page": str(page + 1), "pages": "3"}, by("page")),
    "per_page and total": (
        lambda page: {"pagination": {"page": page + 1, "per_page": SIZE, "total": COUNT}},
        by("page"),
    ),
    "pageNumber": (lambda page: {"pageNumber": page + 1, "pageCount": 3}, by("pageNumber")),
    "offset": (
        lambda page: {"offset": SIZE * page, "limit": SIZE, "total": COUNT},
        by("offset", 0, SIZE),
    ),
}  # fmt: skip


def fetch(maker, path="/r.json"):
    """Fetch the URL once."""
    secrets = {"address": maker.url(path)}
    connector = CONNECTORS["url"]
    return connector.fetch(Poll(settings={}, secrets=secrets, state={}, client=SourceClient()))


def missing(connection):
    """Return the alarm about missing pages, which the run repeats."""
    run = SourceRun.objects.filter(connection=connection).order_by("-pk")[0]
    sentence = "".join(alarm.sentence for alarm in alarms() if alarm.code == "pages")
    assert SourceRunAdmin.why(None, run).strip() == sentence
    assert run.is_whole == (not sentence)
    return sentence


@pytest.mark.parametrize("kind", KINDS)
def test_pages_are_followed_to_the_end(maker, kind):
    maker.reply = Pages(*KINDS[kind])

    fetched = fetch(maker)

    assert len(maker.requests) == 3
    assert [len(json.loads(page)["reviews"]) for page in fetched.content.splitlines()] == [SIZE] * 3
    assert fetched.is_whole
    assert "missing" not in fetched.state


@pytest.mark.parametrize(
    "parts", ['</r.json?page={}>; rel="next"', "</x>; rel=prev, <?page={}>; rel=next"]
)
def test_link_header_is_followed_from_bare_lists(maker, fetch_due, parts):
    connection = make_url_connection(maker)
    maker.reply = pages = Pages(lambda page: None, by("page"))
    pages.headers = lambda page: {"Link": parts.format(next_(page))} if next_(page) else {}

    fetch_due()

    connection.refresh_from_db()
    assert connection.last_error == ""
    assert Review.objects.count() == COUNT


@pytest.mark.parametrize(
    "around",
    [
        {"page": 1, "total_pages": 3},
        {"total_pages": 3},
        {"total": 6, "limit": 2},
        {"has_more": True},
        {"meta": {"hasNextPage": True}},
        {"nextPageToken": "x"},
        {"next": "https://other.example/r.json"},
        {"next": "https://[bad/r.json"},
        {"next": "/r.json"},
    ],
)
def test_pages_that_cannot_be_followed_are_reported_missing(maker, around):
    maker.reply = Reply(json.dumps({"reviews": [entry(0), entry(1)], **around}).encode())

    fetched = fetch(maker)

    assert fetched.state["missing"].startswith("Page 1 of several: the further pages are missing.")
    assert fetched.content == maker.reply.body
    assert not fetched.is_whole
    assert len(maker.requests) <= 2


def test_missing_pages_are_reported_until_complete(maker, fetch_due):
    connection = make_url_connection(maker)
    maker.reply = Reply(json.dumps({"reviews": [entry(0)], "page": 1, "total_pages": 3}).encode())

    fetch_due()

    assert missing(connection).startswith(
        "Page 1 of several: the further pages are missing. Enter an address"
    )
    assert Review.objects.count() == 1
    maker.reply = Reply(entries(3))
    fetch_due()
    assert missing(connection) == ""


@pytest.mark.parametrize(
    "around",
    [
        {"page": 1, "total_pages": 1},
        {"total": 2, "limit": 100, "offset": 0},
        {"next": None, "links": {"next": ""}, "nextPageToken": "", "has_more": False},
        {"next_update": "2026-12-01", "next_survey": 7, "context": "/a?b=c"},
        {"business": {"pages": ["/next"]}},
    ],
)
def test_single_page_is_requested_once(maker, around):
    rows = [{**entry(0), "next": "/evil?page=2", "nextPageToken": "x"}]
    maker.reply = Reply(json.dumps({"reviews": rows, **around}).encode())

    fetched = fetch(maker)

    assert [each.target for each in maker.requests] == ["/r.json"]
    assert "missing" not in fetched.state


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_refused_second_page_keeps_first(maker, status):
    first = Reply(json.dumps({"reviews": [entry(0)], "page": 1, "total_pages": 3}).encode())
    maker.reply = lambda requested: Reply(status=status) if "page=2" in requested.target else first

    fetched = fetch(maker)

    assert fetched.content == first.body
    assert fetched.state["missing"].startswith("Page 1 of several")


def test_secret_header_is_sent_to_same_host_only(maker, fetch_due):
    make_url_connection(maker, header_name="X-Key", header_value="s3cret")
    with maker_server() as other:
        maker.reply = pages = Pages(*KINDS["next"])
        pages.around = lambda page: {"next": address(page) or other.url("/r.json?page=9")}
        fetch_due()

    assert [each.headers.get("X-Key") for each in maker.requests] == ["s3cret"] * 3
    assert other.requests == []


def test_pages_are_limited_in_number_and_bytes(maker, monkeypatch, settings):
    number = itertools.count(1)

    def endless(requested):
        page = next(number)
        body = {"reviews": [entry(page)], "next": f"/r.json?page={page + 1}"}
        return Reply(json.dumps(body).encode())

    maker.reply = endless
    monkeypatch.setattr(paging, "MAX_PAGES", 5)
    assert fetch(maker).state["missing"].startswith("Page 5 of several")
    assert len(maker.requests) == 5

    settings.IMPORT_MAX_BYTES = 400
    maker.requests.clear()
    assert fetch(maker).state["missing"].startswith("Page 3 of several")


@pytest.mark.parametrize(
    "body",
    [
        b'{"reviews": [], "next": ' + b"[" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    ],
)
def test_deeply_nested_json_is_an_explained_failure(maker, fetch_due, body):
    connection = make_url_connection(maker)
    maker.reply = Reply(gzip.compress(body), headers={"Content-Encoding": "gzip"})

    fetch_due()

    connection.refresh_from_db()
    assert connection.last_error
    assert "An internal error" not in connection.last_error


def test_long_page_is_imported_without_pagination(maker, fetch_due, monkeypatch):
    connection = make_url_connection(maker)
    monkeypatch.setattr(sources_client, "MAX_JSON_BYTES", 100)
    maker.reply = Pages(*KINDS["next"])

    fetch_due()

    connection.refresh_from_db()
    assert connection.last_error == ""
    assert (len(maker.requests), Review.objects.count()) == (1, SIZE)


def test_validators_are_sent_for_single_page_only(maker, fetch_due):
    make_url_connection(maker)
    maker.reply = pages = Pages(*KINDS["next"])
    pages.headers = lambda page: {"ETag": '"1"'}
    fetch_due()

    fetch_due()

    assert not any("If-None-Match" in each.headers for each in maker.requests)
    assert SourceRun.objects.count() == 1
