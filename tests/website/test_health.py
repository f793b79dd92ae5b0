"""Liveness and readiness probes."""

import shutil

import pytest
from django.db import OperationalError

from core import heartbeat
from core.db import errors as database_errors
from publishing import publisher
from publishing.models import Document

OK = {
    "status": "ok",
    "database": "ok",
    "documents": "ok",
    "disk": "ok",
    "worker": "absent",
    "scheduler": "absent",
}


def test_process_is_alive_without_database(client):
    # Without the `db` fixture this test has no database.
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    assert response.content == b'{"status":"ok"}'
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("host", ["10.1.2.3:8000", "reviews-7d9f", "[fd00::1]:8000", ""])
def test_probes_are_answered_for_any_host(client, host):
    publisher.publish_due()
    for path in ("/healthz", "/readyz"):
        assert client.get(path, headers={"Host": host}).status_code == 200
    assert client.get("/status.json", headers={"Host": host}).status_code == 400


@pytest.mark.django_db(transaction=True)
def test_installation_with_published_documents_is_ready(client):
    publisher.publish_due()
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    assert response.json() == OK
    assert list(response.json()) == list(OK)
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db(transaction=True)
def test_heartbeats_are_reported_without_failing(client, monkeypatch):
    publisher.publish_due()
    heartbeat.beat("worker")
    status = client.get("/readyz").json()
    assert (status["worker"], status["scheduler"]) == ("ok", "absent")

    monkeypatch.setattr(heartbeat, "states", lambda: {"worker": "stale", "scheduler": "stale"})
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == OK | {"worker": "stale", "scheduler": "stale"}


MEMBERS = ["type", "title", "status", "detail", "request_id"]
MEMBERS += ["database", "documents", "disk", "worker", "scheduler"]


def unreachable_database(*args, **kwargs):
    raise OperationalError("no such thing")


class AwayConnection:
    cursor = unreachable_database


@pytest.mark.django_db
def test_unreachable_database_is_named_with_remedy(client, monkeypatch):
    monkeypatch.setattr("config.health.connection", AwayConnection())
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    body = response.json()
    assert list(body) == MEMBERS
    assert (body["database"], body["documents"]) == ("unreachable", "unknown")
    assert body["detail"] == (
        "database: unreachable. "
        "The database does not answer. Check that it runs and what DATABASE_URL says."
    )


@pytest.mark.django_db
def test_database_without_tables_names_migrate(client, monkeypatch):
    monkeypatch.setattr(publisher, "states", unreachable_database)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["database"] == "not migrated"
    assert "Run `manage.py migrate`." in response.json()["detail"]


@pytest.mark.django_db(transaction=True)
def test_missing_documents_are_reported_and_not_published(client):
    response = client.get("/readyz")
    assert response.status_code == 503
    assert (response.json()["database"], response.json()["documents"]) == ("ok", "missing")
    assert "run `manage.py publish_documents`" in response.json()["detail"]
    assert not Document.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("free", [0, 1_000_000])
def test_full_disk_is_reported_while_documents_are_served(client, monkeypatch, free):
    publisher.publish_due()
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage._replace(free=free))
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == OK | {"disk": database_errors.FULL}
