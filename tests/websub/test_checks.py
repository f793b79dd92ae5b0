"""System checks of the hub's settings and rows."""

import json
import ssl
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.db import ProgrammingError

from guarded_http import connect
from tests.guarded_http.tls import Authority
from tests.websub.rows import make_subscription, make_verification
from websub import conf
from websub.checks import (
    callbacks_are_public,
    certificates_can_be_checked,
    requests_are_limited,
    settings_name_topics,
    something_sweeps,
    sqlite_writes_immediately,
    subscriptions_have_topics,
    versions_rise,
)
from websub.formatting import log_once


def test_networks_that_are_allowed_on_purpose_are_warned_of(settings):
    settings.HUB_ALLOW_NETS = ["10.0.0.0/8", "fd00::/8"]

    [warning] = callbacks_are_public()

    assert warning.id == "websub.W001"
    assert "10.0.0.0/8, fd00::/8" in warning.msg


@pytest.fixture
def _nothing_read():
    connect.tls_context.cache_clear()
    log_once.cache_clear()
    yield
    connect.tls_context.cache_clear()
    log_once.cache_clear()


@pytest.fixture
def no_authorities(_nothing_read, monkeypatch, tmp_path):
    """A system without certificates, as a slim container is."""
    monkeypatch.setattr(
        ssl, "create_default_context", lambda cafile: ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    )
    places = SimpleNamespace(capath=str(tmp_path))
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: places)
    return tmp_path


def test_system_without_certificate_authorities_is_warned_of(no_authorities):
    [warning] = certificates_can_be_checked()

    assert warning.id == "websub.W002"
    assert "install the system's ca-certificates" in warning.msg
    assert "HUB_CA_BUNDLE" in warning.hint


def test_folder_of_authorities_is_enough(no_authorities):
    (no_authorities / "5ed36f99.0").touch()

    assert certificates_can_be_checked() == []


@pytest.mark.usefixtures("_nothing_read")
def test_bundle_that_cannot_be_read_is_warned_of(settings, tmp_path):
    for bundle, why in (
        (tmp_path / "none.pem", "No such file"),
        (tmp_path / "empty.pem", "NO_CERT"),
    ):
        if bundle.name == "empty.pem":
            bundle.write_text("nothing")
        settings.HUB_CA_BUNDLE = str(bundle)

        [warning] = certificates_can_be_checked()

        assert warning.id == "websub.W002"
        assert str(bundle) in warning.msg
        assert why in warning.msg


def test_bundle_of_authorities_needs_no_warning(settings, tmp_path):
    settings.HUB_CA_BUNDLE = Authority.make(tmp_path).bundle
    assert certificates_can_be_checked() == []


# --- Orphaned subscriptions -----------------------------------------------------------------------

FORMER_TOPIC = "https://former.example/feed.xml"


@pytest.mark.django_db
def test_orphaned_subscriptions_show_in_a_check_of_the_database(capsys):
    make_subscription(topic=FORMER_TOPIC)

    call_command("check", databases=["default"])

    assert "websub.W003" in capsys.readouterr().err


def test_check_before_the_first_migration_has_nothing_to_say(monkeypatch):
    def fail(*args):
        raise ProgrammingError("no such table")

    monkeypatch.setattr("websub.models.SubscriptionQuerySet.orphaned", fail)

    assert subscriptions_have_topics(["default"]) == []


# --- Settings, limits, database, sweep, versions --------------------------------------------------


def ids(messages):
    return [message.id for message in messages]


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("BASE_URL", "", ["websub.E001"]),
        ("WEBSUB_TOPICS", "", ["websub.E002"]),
        ("WEBSUB_TOPICS", "config.documents.gone", ["websub.E003"]),
        ("WEBSUB_RATE_LIMITER", "gone.hit", ["websub.E003"]),
    ],
)
def test_setting_that_is_missing_or_wrong_is_an_error(settings, name, value, found):
    setattr(settings, name, value)
    assert ids(settings_name_topics()) == found


@pytest.mark.parametrize(
    ("rates", "backend", "words"),
    [
        ({"hub": (1, 60)}, "django.core.cache.backends.redis.RedisCache", "no limit for verify"),
        (
            {"hub": (1, 60), "verify": (1, 60)},
            "django.core.cache.backends.locmem.LocMemCache",
            "not shared by processes",
        ),
    ],
)
def test_hub_without_a_shared_rate_limit_is_warned_of(settings, rates, backend, words):
    settings.WEBSUB_RATE_LIMITER = "websub.rate_limit.hit"
    settings.WEBSUB_RATE_LIMITS = rates
    settings.CACHES = {"default": {"BACKEND": backend}}

    [warning] = requests_are_limited()

    assert warning.id == "websub.W004"
    assert words in warning.msg


def test_sqlite_with_deferred_transactions_is_a_warning(settings, monkeypatch):
    database = {"ENGINE": "django.db.backends.sqlite3", "OPTIONS": {}}
    monkeypatch.setitem(settings.DATABASES, "default", database)
    assert ids(sqlite_writes_immediately()) == ["websub.W005"]

    database["OPTIONS"] = {"transaction_mode": "IMMEDIATE"}
    assert sqlite_writes_immediately() == []


@pytest.mark.django_db
def test_due_rows_without_a_worker_are_a_warning(clock):
    make_verification()
    assert something_sweeps(["default"]) == []

    clock.shift(660)

    assert ids(something_sweeps(["default"])) == ["websub.W006"]
    assert something_sweeps() == []


@pytest.mark.django_db
def test_version_that_falls_is_warned_of(publish):
    publish()
    make_subscription(acknowledged_version=1)
    assert versions_rise(["default"]) == []
    make_subscription(acknowledged_version=2)

    [warning] = versions_rise(["default"])

    assert warning.id == "websub.W007"
    assert "https://reviews.example/feed.xml" in warning.msg


def test_readme_lists_every_setting_with_its_default():
    readme = (Path(conf.__file__).parent / "README.md").read_text()
    for name, default in conf.DEFAULTS.items():
        [row] = [line for line in readme.splitlines() if line.startswith(f"| `{name}` |")]
        shown = row.split("|")[2].strip().strip("`")
        if name not in {"BASE_URL", "WEBSUB_TOPICS", "HUB_CA_BUNDLE", "STATE_DIR"}:
            assert shown in {str(default), json.dumps(default), repr(default).replace("'", '"')}
