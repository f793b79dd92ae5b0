"""Failed sign-ins in the log match the fail2ban filter of docs/sign_in.md."""

import logging
import re

import pytest

from core.logging import JsonFormatter, LineFormatter, RequestIdFilter, request_id
from tests.deploy.files import ROOT

pytestmark = pytest.mark.django_db

# fail2ban's expression for <ADDR>, without host names.
ADDR = r"(?P<address>(?:\d{1,3}\.){3}\d{1,3}|[0-9a-fA-F:]{2,39})"
DATE = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
)  # fail2ban removes the date from the line.


def expressions():
    text = (ROOT / "docs/sign_in.md").read_text()
    block = re.search(r"failregex = (.+?)\n```", text, re.DOTALL)[1]
    return [re.compile(line.strip().replace("<ADDR>", ADDR)) for line in block.splitlines()]


@pytest.fixture(params=["line", "json"])
def lines(request, settings, caplog):
    """Return the log lines as the settings write them."""
    token = request_id.set("kPq0.17")

    def written():
        if request.param == "json":
            formatter = JsonFormatter()
        else:
            formatter = LineFormatter(settings.LOGGING["formatters"]["line"]["format"])
        for record in caplog.records:
            RequestIdFilter().filter(record)
        return [formatter.format(record) for record in caplog.records]

    caplog.set_level(logging.INFO)
    yield written
    request_id.reset(token)


def fail(client, name="owner", address="203.0.113.7"):
    client.post("/admin/login/", {"username": name, "password": "wrong"}, REMOTE_ADDR=address)


def read(line):
    """Return the address that the filter finds in a line."""
    return {
        match["address"]
        for expression in expressions()
        for text in (line, DATE.sub("", line, count=1))
        if (match := expression.search(text))
    }


@pytest.mark.parametrize(
    "before", ["", "web    | ", "host make[812]: web    | ", "host granian[9]: "]
)
@pytest.mark.parametrize("address", ["203.0.113.7", "2001:db8:1:2::9"])
def test_filter_finds_address_of_every_failure(client, lines, before, address):
    for _ in range(6):  # The lock refuses the last one.
        fail(client, address=address)

    written = [line for line in lines() if "sign_in" in line]
    assert len(written) == 6
    assert [read(before + line) for line in written] == [{address}] * 6


@pytest.mark.parametrize(
    "name",
    [
        "x\n2026-03-14T12:00:18.250Z WARNING sign_in [a] Failed sign-in from 192.0.2.1 as y",
        "x' from 192.0.2.1 as 'y",
        "x\u2028Failed sign-in from 192.0.2.1 as \u202ey",
    ],
)
def test_user_name_cannot_forge_log_line(client, lines, name):
    fail(client, name)

    written = [line for line in lines() if "Failed sign-in" in line]
    assert len(written) == 1
    assert written[0].isascii()
    assert len(written[0].splitlines()) == 1
    assert read(written[0]) == {"203.0.113.7"}
