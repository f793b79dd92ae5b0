"""Two web servers, three workers, PostgreSQL and Redis act as one during restarts."""

import http.client
import re
import time
from collections import Counter
from contextlib import closing
from itertools import pairwise

import pytest
import requests

from tests.scale.conftest import SEARCHES_AN_HOUR, run_site
from tests.scale.readers import Readers
from tools.chaos.processes import wait_for

pytestmark = pytest.mark.scale

SUBSCRIBERS = 1_000
EDIT_SECONDS = 60.0
FAN_OUT_SECONDS = 60.0
STOP_SECONDS = 55.0  # Celery waits up to 30 seconds for a last message of its processes.
PASSWORD = "correct horse battery staple"


@pytest.fixture(scope="module")
def site():
    with run_site("redis") as site:
        yield site


@pytest.fixture
def browser():
    with requests.Session() as session:
        session.trust_env = False
        yield session


def test_edit_on_one_web_server_is_served_by_other(site, browser):
    who = ("--username=admin", "--email=")
    site.installation.manage(
        "createsuperuser", "--noinput", *who, DJANGO_SUPERUSER_PASSWORD=PASSWORD
    )
    login, _ = site.urls("/admin/login/")
    list_here, list_there = site.urls("/admin/reviews/review/")
    here, there = site.urls("/reviews.json")
    token = _token(browser.get(login).text)
    form = {"username": "admin", "password": PASSWORD, "csrfmiddlewaretoken": token}
    browser.post(login, form)
    page = browser.get(list_there).text  # Both servers share sessions.
    chosen = re.findall(r'name="_selected_action" value="(\d+)"', page)[0]
    form = {"_selected_action": chosen, "csrfmiddlewaretoken": _token(page)}
    form |= {"post": "yes", "reason": "duplicate"}  # Answers why the review is hidden.

    for action in ("hide", "show", "hide"):
        before = browser.get(there).headers["ETag"]
        browser.post(list_here, form | {"action": action}).raise_for_status()
        wait_for(
            "The edit at the other",
            lambda before=before: browser.get(there).headers["ETag"] != before,
            EDIT_SECONDS,
            0.01,
        )

    newest = browser.get(there).headers["ETag"]
    wait_for("The edit here", lambda: browser.get(here).headers["ETag"] == newest, EDIT_SECONDS)
    tags = {browser.get(url).headers["ETag"] for url in (here, there) * 20}
    assert tags == {newest}


def test_mcp_session_is_shared_by_web_servers(site, browser):
    here, there = site.urls("/mcp")

    def call(url, method, headers, **params):
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return browser.post(url, json=body, headers=headers)

    accepts = {"Accept": "application/json, text/event-stream"}
    client = {"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    began = call(here, "initialize", accepts, protocolVersion="2025-06-18", **client)
    session = accepts | {"Mcp-Session-Id": began.headers["Mcp-Session-Id"]}
    assert len(call(there, "tools/list", session).json()["result"]["tools"]) > 5

    ended = browser.delete(there, headers=session)

    assert ended.ok
    assert [call(url, "tools/list", session).status_code for url in (here, there)] == [404, 404]


def test_web_servers_share_rate_limits(site):
    if (left := 3_600 - time.time() % 3_600) < 60:
        time.sleep(left)  # Limits reset every hour.
    statuses = Counter()
    for number in range(2 * SEARCHES_AN_HOUR):
        port = site.installation.ports[number % 2]
        connection = http.client.HTTPConnection("127.0.0.1", port, source_address=("127.0.0.9", 0))
        with closing(connection):
            connection.request("GET", "/api/reviews/search?limit=1")
            statuses[connection.getresponse().status] += 1

    assert statuses == {200: SEARCHES_AN_HOUR, 429: SEARCHES_AN_HOUR}


def test_change_is_delivered_once_to_each_of_a_thousand_subscribers(site):
    crowd = site.enrol("thousand", healthy=SUBSCRIBERS)

    edit = site.edit()
    _wait_until_all_have(site, crowd, edit)
    time.sleep(2)

    assert Counter(map(site.sink.acknowledged, crowd)) == {1: SUBSCRIBERS}
    assert all(site.sink.posts[subscriber.path][0].is_signed for subscriber in crowd)


def test_restarts_under_load_lose_no_read_or_delivery(site):
    installation = site.installation
    crowd = site.enrol("restarts", healthy=SUBSCRIBERS // 4, slow=20)
    readers = Readers(installation.ports, "/reviews.json")

    with readers.reading():
        site.edit()
        for port, web in zip(installation.ports, installation.webs, strict=True):
            with readers.without(port):
                web.stop(STOP_SECONDS)
                web.start()
                installation.wait_for_web(port)
            site.edit()
        for worker in installation.workers:
            site.edit()
            worker.stop(STOP_SECONDS)
            worker.start()
        installation.beat.stop(STOP_SECONDS)
        installation.beat.start()
        edit = site.edit()
        _wait_until_all_have(site, crowd, edit)
    time.sleep(2)

    assert readers.failures == []
    assert readers.read > 100
    newest = installation.digest()
    for subscriber in crowd:
        posts = site.sink.posts[subscriber.path]
        assert posts[-1].digest == newest
        assert all(later.edit > earlier.edit for earlier, later in pairwise(posts))


def _token(page: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert found, page[:500]
    return found[1]


def _wait_until_all_have(site, crowd, edit):
    wait_for(
        f"Edit {edit} at all subscribers",
        lambda: site.sink.satisfied(crowd, edit) == len(crowd),
        FAN_OUT_SECONDS,
    )
