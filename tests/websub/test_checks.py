"""System checks of the hub's settings and rows."""

import ssl
from types import SimpleNamespace

import pytest
from django.core.management import call_command

from guarded_http import connect
from tests.websub.rows import make_subscription, make_verification
from websub.checks import (
    callbacks_are_public,
    certificates_can_be_checked,
    requests_are_limited,
    settings_are_right,
    settings_fit_together,
    sqlite_writes_immediately,
    versions_rise,
    worker_runs,
)
from websub.formatting import log_once


def test_allowed_private_networks_are_a_warning(settings):
    settings.WEBSUB_ALLOWED_NETWORKS = ["10.0.0.0/8", "fd00::/8"]

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


@pytest.mark.usefixtures("_nothing_read")
def test_system_without_certificate_authorities_is_a_warning(monkeypatch, tmp_path):
    empty = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # As in a slim container.
    monkeypatch.setattr(ssl, "create_default_context", lambda cafile: empty)
    places = SimpleNamespace(capath=str(tmp_path))
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: places)

    [warning] = certificates_can_be_checked()

    assert warning.id == "websub.W002"
    assert "install the system's ca-certificates" in warning.msg
    assert "WEBSUB_CA_BUNDLE" in warning.hint


@pytest.mark.usefixtures("_nothing_read")
def test_unreadable_bundle_is_a_warning(settings, tmp_path):
    (tmp_path / "empty.pem").write_text("nothing")
    for name, why in (("none.pem", "No such file"), ("empty.pem", "NO_CERT")):
        bundle = tmp_path / name
        settings.WEBSUB_CA_BUNDLE = str(bundle)

        [warning] = certificates_can_be_checked()

        assert warning.id == "websub.W002"
        assert str(bundle) in warning.msg
        assert why in warning.msg


# --- Orphaned subscriptions -----------------------------------------------------------------------

FORMER_TOPIC = "https://former.example/feed.xml"


@pytest.mark.django_db
def test_orphaned_subscriptions_are_in_database_check(capsys):
    make_subscription(topic=FORMER_TOPIC)

    call_command("check", databases=["default"])

    assert "websub.W003" in capsys.readouterr().err


# --- Settings, limits, database, sweep, versions --------------------------------------------------


def ids(messages):
    return [message.id for message in messages]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("WEBSUB_BASE_URL", "", "is '', not the public http or https address"),
        ("WEBSUB_BASE_URL", "https://blog.example/", "is 'https://blog.example/', not"),
        ("WEBSUB_TOPICS", "config.documents.gone", '(Module "config.documents" does not define'),
        ("WEBSUB_TOPICS", "os.getcwd", "no attribute 'url'"),
        ("WEBSUB_RATE_LIMITER", "gone.hit", "(No module named 'gone')"),
        ("WEBSUB_CLIENT_KEY", "os.getcwd", "not the dotted path of a function of a request."),
        ("WEBSUB_ALLOWED_NETWORKS", ["10.0.0.0/40"], "('10.0.0.0/40' does not appear to be"),
        ("WEBSUB_ALLOWED_NETWORKS", "10.0.0.0/8", "not a list of networks in CIDR notation."),
        ("WEBSUB_ALLOWED_NETWORKS", [b""], "not a list of networks in CIDR notation."),
        ("WEBSUB_ALLOWED_PORTS", "443-", "('' is not a port: write a number from 1 to 65535.)"),
        ("WEBSUB_ALLOW_HTTP", "no", "is 'no', not True or False."),
        ("WEBSUB_RETRY_SECONDS", [float("nan")], "is [nan], not a list of numbers of seconds"),
        ("WEBSUB_RATE_LIMITS", {"hubs": (1, 60)}, "not a dict of (requests, seconds)"),
        ("WEBSUB_MAX_FAILURES", True, "is True, not a whole number from 0 to 32767."),
    ],
)
def test_wrong_setting_is_an_error_with_name_and_example(settings, name, value, sentence):
    setattr(settings, name, value)

    [error] = settings_are_right()

    assert error.id == "websub.E001"
    assert error.msg.startswith(f"{name} is ")
    assert sentence in error.msg
    assert error.hint.startswith(f"Set it like {name} = ")
    assert callbacks_are_public() == []  # Other checks are skipped until the settings are valid.


def test_unknown_setting_is_an_error_with_nearest_name(settings):
    settings.WEBSUB_ALLOW_NETWORKS = ["10.0.0.0/8"]

    [error] = settings_are_right()

    assert (error.id, error.msg) == (
        "websub.E002",
        "WEBSUB_ALLOW_NETWORKS is no setting of websub.",
    )
    assert error.hint == "Did you mean WEBSUB_ALLOWED_NETWORKS?"


def test_inconsistent_settings_are_errors(settings):
    settings.WEBSUB_LEASE_MIN_SECONDS = settings.WEBSUB_LEASE_MAX_SECONDS + 1

    assert ids(settings_fit_together()) == ["websub.E003"]


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
def test_hub_without_shared_rate_limit_is_a_warning(settings, rates, backend, words):
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
def test_due_rows_without_worker_are_a_warning(clock):
    make_verification()
    assert worker_runs(["default"]) == []

    clock.shift(660)

    assert ids(worker_runs(["default"])) == ["websub.W006"]
    assert worker_runs() == []


@pytest.mark.django_db
def test_decreasing_version_is_a_warning(publish):
    publish()
    make_subscription(acknowledged_version=1)
    assert versions_rise(["default"]) == []
    make_subscription(acknowledged_version=2)

    [warning] = versions_rise(["default"])

    assert warning.id == "websub.W007"
    assert "https://reviews.example/feed.xml" in warning.msg
