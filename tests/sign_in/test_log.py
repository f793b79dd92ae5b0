"""Failed sign-ins in the log, as fail2ban reads them by the filter of docs/sign_in.md."""

import logging
import re

import pytest

from core.logging import JsonFormatter, LineFormatter, RequestIdFilter, request_id
from tests.deploy.files import ROOT

pytestmark = pytest.mark.django_db

# fail2ban's own of <ADDR>, without the names of hosts.
ADDR = r"(?P<address>(?:\d{1,3}\.){3}\d{1,3}|[0-9a-fA-F:]{2,39})"
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")  # fail2ban takes it out of the line.


def expressions():
    text = (ROOT / "docs/sign_in.md").read_text()
    block = re.search(r"failregex = (.+?)\n```", text, re.DOTALL)[1]
    return [re.compile(line.strip().replace("<ADDR>", ADDR)) for line in block.splitlines()]


@pytest.fixture(params=["line", "json"])
def lines(request, settings, caplog):
    """The lines of the log as the settings write them."""
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
    """The address that the filter finds, in the line and without its date."""
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
def test_filter_reads_the_address_of_every_failure(client, lines, before, address):
    for _ in range(6):  # The last one is refused by the lock.
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
def test_user_name_forges_no_line(client, lines, name):
    fail(client, name)

    written = [line for line in lines() if "Failed sign-in" in line]
    assert len(written) == 1
    assert written[0].isascii()
    assert len(written[0].splitlines()) == 1
    assert read(written[0]) == {"203.0.113.7"}
