"""Pushes: accepted forms, refusals, and replays without effect."""

import csv
import gzip
import io
import json
from urllib.parse import urlencode

import orjson
import pytest
from django.db import connection as database

from imports.models import ImportBatch
from reviews.models import Review
from sources import runs, services
from sources.models import SourceConnection, SourceRun
from sources.selectors import push_address
from tests.sources import bodies
from tests.sources.rows import entries, entry, make_connection, post

pytestmark = pytest.mark.django_db(transaction=True)

BASE = "https://reviews.example"


@pytest.fixture
def connection(allow_local_sources):
    return make_connection("push", name="Zapier")


@pytest.fixture
def push(client, connection):
    """Post a body to the connection's URL."""

    def push(body, content_type="application/json"):
        return post(client, connection, body, content_type=content_type)

    return push


def address(connection: SourceConnection) -> str:
    return push_address(connection).removeprefix(BASE)


def as_csv(*rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def test_pushed_review_is_stored_then_imported(push, connection):
    response = push(entry(1))

    run = SourceRun.objects.get()
    assert response.status_code == 202
    assert response.json() == {"received": 1, "run": run.pk}
    assert (run.state, run.trigger) == ("stored", "push")
    runs.import_stored()
    run.refresh_from_db()
    assert (run.state, run.new, run.batch.state) == ("imported", 1, "applied")
    assert Review.objects.get().author == "Author 1"


def test_unknown_token_source_and_kind_give_same_404(client, connection):
    other = make_connection("folder")
    addresses = [
        f"/api/sources/{connection.pk}/wrong",
        f"/api/sources/{connection.pk + 99}/wrong",
        f"/api/sources/{other.pk}/wrong",
        "/api/sources/none/wrong",
    ]

    answers = [client.post(path, b"{}", content_type="application/json") for path in addresses]

    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1


def test_empty_token_of_connection_without_secret_is_refused(client, connection):
    SourceConnection.objects.update(encrypted_secret="")

    assert client.get(f"/api/sources/{connection.pk}/").status_code == 404
    assert not services.is_token(SourceConnection(kind="push"), "")


def test_pushes_are_limited_per_source(push, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "sources": (2, 60)}

    answers = [push(entry(number)) for number in range(3)]

    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert int(answers[2].headers["Retry-After"]) > 0
    assert SourceRun.objects.count() == 2


def test_backlog_is_limited(push, monkeypatch):
    monkeypatch.setattr(services, "MAX_STORED", 2)

    answers = [push(entry(number)).status_code for number in range(3)]

    assert answers == [202, 202, 429]


@pytest.mark.parametrize(
    ("body", "content_type", "received"),
    [
        (orjson.dumps(entry(1)), "application/json", 1),
        (orjson.dumps([entry(1), entry(2)]), "application/json", 2),
        (orjson.dumps({"reviews": [entry(1), entry(2)]}), "text/plain", 2),
        (b"\n".join(map(orjson.dumps, [entry(1), entry(2)])), "application/x-ndjson", 2),
        (as_csv(entry(1), entry(2), entry(3)), "text/csv", 3),
        (as_csv(entry(1), entry(2), entry(3)), "application/octet-stream", 3),
        (urlencode(entry(1)).encode(), "application/x-www-form-urlencoded", 1),
        (orjson.dumps(entry(1)), "application/x-www-form-urlencoded", 1),
        (gzip.compress(entries(4)), "application/json", 4),
    ],
)
def test_body_is_accepted_in_its_format(push, body, content_type, received):
    response = push(body, content_type)

    assert (response.status_code, response.json()["received"]) == (202, received)
    runs.import_stored()
    assert Review.objects.count() == received


@pytest.mark.parametrize("name", bodies.NAMES)
def test_maker_body_is_accepted(push, connection, name):
    SourceConnection.objects.update(import_options={})

    response = push(bodies.read(name))

    assert response.status_code == 202, response.content
    runs.import_stored()
    found = Review.objects.order_by("pk")
    assert [(r.source, r.external_id, r.author, r.rating) for r in found] == bodies.EXPECTED[name]


def test_generic_push_after_maker_body_waits_and_approval_allows_both(push, connection):
    for body in (bodies.read("judgeme_webhook"), orjson.dumps(entry(1))):
        push(body)
        runs.import_stored()
    waiting = SourceRun.objects.get(state="waiting")
    assert "last time it was judge.me" in waiting.reasons[0]

    services.approve(waiting, by=None)
    push(entry(2))
    runs.import_stored()

    assert not SourceRun.objects.filter(state="waiting").exists()
    assert Review.objects.count() == 3


@pytest.mark.parametrize(
    ("body", "content_type", "refusal"),
    [
        (b"", "application/json", (422, "The body is empty")),
        (b'{"a": 1}', "application/json", (422, "holds nothing that looks like reviews")),
        (b'{"rating": 5,', "application/json", (422, "JSON")),
        (b"name=%FF%FE", "application/x-www-form-urlencoded", (422, "form cannot be read")),
        (b"a", "application/x-www-form-urlencoded", (422, "form cannot be read")),
        (
            bodies.read("apify_webhook"),
            "application/json",
            (422, "only the notice that a result is"),
        ),
        (b"PK\x03\x04rest", "application/octet-stream", (415, "Workbooks and archives")),
        (b"\xd0\xcf\x11\xe0rest", "application/octet-stream", (415, "Workbooks and archives")),
        (gzip.compress(bytes(50_000_000)), "application/json", (413, "when unpacked")),
        (entries(9_000), "application/json", (413, "longer than 1000000 bytes")),
        (gzip.compress(entries(3))[:-9], "application/json", (400, "not gzip")),
    ],
)
def test_unusable_body_is_refused_with_reason(push, settings, body, content_type, refusal):
    settings.IMPORT_MAX_BYTES = 1_000_000

    response = push(body, content_type)

    assert response.status_code == refusal[0]
    assert refusal[1] in response.json()["detail"]
    assert not SourceRun.objects.exists()
    assert not ImportBatch.objects.exists()


def test_slow_long_body_fails_its_run(push, settings):
    settings.IMPORT_READ_TIMEOUT = 0.001

    response = push(entries(3_000))  # Too long to be parsed in this process.
    runs.import_stored()

    run = SourceRun.objects.get()
    assert response.status_code == 202
    assert (run.state, "IMPORT_READ_TIMEOUT" in run.error) == ("failed", True)
    assert not Review.objects.exists()


def test_replayed_push_changes_nothing(push):
    for _ in range(3):
        assert push(entry(1)).status_code == 202
        runs.import_stored()

    assert Review.objects.count() == ImportBatch.objects.count() == 1
    assert sorted(SourceRun.objects.values_list("state", flat=True)) == [
        *("imported", "unchanged", "unchanged")
    ]


def test_mail_address_ip_and_phone_are_not_stored(push, caplog):
    body = json.loads(bodies.read("judgeme_webhook"))
    secret = ("dana@mail.example", "203.0.113.77", "+15550107788")
    body["review"]["reviewer"] |= {"email": secret[0], "phone": secret[2]}
    body["review"]["ip_address"] = secret[1]
    push(body)
    runs.import_stored()

    with database.cursor() as cursor:
        dumped = caplog.text
        tables = database.introspection.table_names(cursor)
        # This index cannot be read row by row.
        for table in (name for name in tables if not name.startswith("reviews_text_trigrams")):
            cursor.execute(f'SELECT * FROM "{table}"')
            dumped += repr(cursor.fetchall())

    assert Review.objects.count() == 1
    assert [words for words in secret if words in dumped] == []
