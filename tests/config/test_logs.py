"""Log lines carry their request id, as text and as JSON."""

import json
import logging
import sys

import pytest
from django.test import RequestFactory
from django.urls import include, path, re_path, resolve

import config.urls
from core.logging import (
    JsonFormatter,
    LineFormatter,
    MaskedExceptionReporter,
    RequestIdFilter,
    hide_secret_paths,
    mask_secrets,
    request_id,
)


def record(message: str, *args: object, **values: object) -> logging.LogRecord:
    made = logging.getLogRecordFactory()(
        "reviews.x", logging.INFO, __file__, 1, message, args, None
    )
    made.__dict__.update(created=0.25, msecs=250, process=7, **values)
    return made


@pytest.fixture
def of_a_request():
    token = request_id.set("abc.1")
    yield
    request_id.reset(token)


def test_json_line_is_one_object(of_a_request):
    line = record("Two\nlines of %s", "“text”")

    RequestIdFilter().filter(line)

    written = JsonFormatter().format(line)
    assert "\n" not in written
    assert json.loads(written) == {
        "at": "1970-01-01T00:00:00.250Z",
        "level": "INFO",
        "logger": "reviews.x",
        "request_id": "abc.1",
        "process": 7,
        "message": "Two\nlines of “text”",
    }


FORGED = "1970-01-01T00:00:00.000Z INFO axes [-] Sign-in of root"


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", "\x0b", "\x85", "\u2028"])
def test_line_breaks_cannot_forge_log_lines(line_break):
    line = record("No page %s", f"/a{line_break}{FORGED}")

    written = LineFormatter("%(levelname)s %(message)s").format(line)

    assert written.splitlines() == [f"INFO No page /a {FORGED}"]
    (stored,) = JsonFormatter().format(line).splitlines()
    assert json.loads(stored)["message"] == f"No page /a{line_break}{FORGED}"


@pytest.mark.parametrize("control", ["\x1b[2J", "\x9b2J", "\x08", "\x00", "\x7f"])
def test_control_characters_are_escaped(control):
    line = record("No page %s", control)

    written = LineFormatter("%(message)s").format(line)

    assert written == f"No page {control.encode('unicode_escape').decode()}"
    stored = JsonFormatter().format(line)
    assert stored.isprintable()
    assert json.loads(stored)["message"] == f"No page {control}"


def test_traceback_cannot_forge_log_lines():
    try:
        raise ValueError(f"no\n{FORGED}\x1b[2J")
    except ValueError:
        line = record("It failed", exc_info=sys.exc_info())

    first, *others = LineFormatter("%(message)s").format(line).splitlines()

    assert first == "It failed"
    assert others[0] == "    Traceback (most recent call last):"
    assert others[-1] == f"    {FORGED}\\x1b[2J"
    assert all(other.startswith("    ") for other in others)


TOKEN = "s3cret-T0ken_of_a-sender"


@pytest.mark.parametrize(
    ("address", "masked"),
    [
        ("/api/sources/7/{}", "/api/sources/7/[hidden]"),
        ("https://host/api/sources/7/{}?x=1", "https://host/api/sources/7/[hidden]?x=1"),
        ("//api//sources//7//{}/", "//api//sources//7//[hidden]"),
        ("/API/Sources/7/{}/more", "/API/Sources/7/[hidden]"),
        ("/api/sources/{}", "/api/sources/[hidden]"),
        ("/api/sources/{}/7", "/api/sources/[hidden]"),
        ("/admin/x/?code={}&state=1", "/admin/x/?code=[hidden]&state=1"),
        ("/x?a=1&hub.verify_token={}", "/x?a=1&hub.verify_token=[hidden]"),
        ("/api/reviews/since/2026-01-01", "/api/reviews/since/2026-01-01"),
        ("/reviews?query=token", "/reviews?query=token"),
    ],
)
def test_secret_of_url_is_hidden_in_messages(address, masked):
    line = record("Refused '%s' of %a", address.format(TOKEN), address.format(TOKEN))

    assert line.getMessage() == f"Refused '{masked}' of '{masked}'"


@pytest.fixture
def own_patterns():
    yield hide_secret_paths
    hide_secret_paths(config.urls.urlpatterns)


def test_secret_url_parameters_are_hidden(own_patterns):
    def view(request):
        """Serve as the view of the patterns."""

    own_patterns(
        [
            path("invitation/<str:token>/", view),
            path("account/", include([path("reset/<uidb64>/<token>/", view)])),
            re_path(r"^confirm/(?P<key>[-:\w]+)/$", view),
            path("reviews/<str:ulid>", view),
        ]
    )
    paths = ["/invitation/{}/", "/account/reset/{}/7-{}/", "/confirm/{}/", "/reviews/{}"]

    assert [mask_secrets(each.format("abc", "def")) for each in paths] == [
        "/invitation/[hidden]",
        "/account/reset/[hidden]",
        "/confirm/[hidden]",
        "/reviews/abc",
    ]


def test_error_reports_hide_secret_of_url():
    request = RequestFactory().post(f"/api/sources/7/{TOKEN}", b"[]", "a/b")
    request.resolver_match = resolve(request.path)
    try:
        token = request.resolver_match.kwargs["token"]
        raise ValueError(f"No source takes {token!r}")
    except ValueError:
        reporter = MaskedExceptionReporter(request, *sys.exc_info())

    for text in (reporter.get_traceback_html(), reporter.get_traceback_text()):
        assert "No source takes" in text
        assert TOKEN not in text
