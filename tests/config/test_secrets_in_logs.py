"""Logs of the processes hold no secret, even at LOG_LEVEL=DEBUG."""

import re
import sqlite3
from contextlib import closing

import pytest
import requests

from tests.mcp_server.mcp_client import initialize_params, request
from tests.processes import environment, manage, python_process, reserved_port
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

KEY = "the-key-of-the-installation-" + "k" * 30
PASSWORD = "the right password"
WRONG = "a mistyped password"
HUB_SECRET = "what-a-subscriber-shares"
CALLBACK_TOKEN = "capability-of-a-callback"
PUSH_TOKEN = "capability-of-a-sender"
BASE = "http://127.0.0.1:8000"


@pytest.fixture
def values(migrated):
    return environment(
        migrated,
        SECRET_KEY=KEY,
        BASE_URL=BASE,
        LOG_LEVEL="DEBUG",
        CELERY_BROKER_URL="filesystem://",
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
        WEBSUB_ALLOWED_NETWORKS="127.0.0.0/8",
        WEBSUB_ALLOWED_PORTS="1-65535",
    )


@pytest.fixture
def running(values, tmp_path):
    """Run a web server and a worker. Yield the server's URL."""
    manage(
        ("createsuperuser", "--noinput", "--username", "root", "--email", "root@example.com"),
        ("publish_documents",),
        env=values,
    )
    web = "granian --interface wsgi config.wsgi:application --log-level debug --access-log"
    web += " --blocking-threads 2 --backpressure 8 --workers-kill-timeout 5 --port "
    worker = "celery -A config worker --pool threads --concurrency 4 --loglevel DEBUG"
    log = tmp_path / "log"
    with (
        reserved_port() as port,
        python_process("-m", *web.split(), str(port), env=values, log=log),
        python_process("-m", *worker.split(), env=values, log=log),
    ):
        yield f"http://127.0.0.1:{port}"


def answers(url):
    try:
        return requests.get(f"{url}/readyz", timeout=5).json().get("worker") == "ok"
    except (requests.ConnectionError, requests.Timeout):
        return False


def sign_in(browser, url, password):
    page = browser.get(f"{url}/admin/login/", timeout=10).text
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    form = {"username": "root", "password": password, "csrfmiddlewaretoken": token}
    return browser.post(
        f"{url}/admin/login/", form, headers={"Origin": BASE}, timeout=10, allow_redirects=False
    ).status_code


def attempts_to_verify(state_dir):
    with closing(sqlite3.connect(state_dir / "reviews.sqlite3")) as database:
        return database.execute("SELECT attempts FROM websub_verification").fetchone()


def test_logs_hold_no_secret(running, tmp_path, silent_port):
    wait_until(lambda: answers(running))
    browser = requests.Session()
    assert sign_in(browser, running, WRONG) == 200
    assert sign_in(browser, running, PASSWORD) == 302
    session = browser.cookies["sessionid"]

    callback = f"https://127.0.0.1:{silent_port}/{CALLBACK_TOKEN}?{CALLBACK_TOKEN}=1"
    wish = {
        "hub.mode": "subscribe",
        "hub.topic": f"{BASE}/feed.xml",
        "hub.callback": callback,
        "hub.secret": HUB_SECRET,
    }
    hub = f"{running}/api/websub/hub"
    assert requests.post(hub, wish, timeout=10).status_code == 202
    too_long = wish | {"hub.secret": HUB_SECRET * 20}
    assert requests.post(hub, too_long, timeout=10).status_code == 400

    initialize = request("initialize", initialize_params())
    opened = requests.post(f"{running}/mcp", json=initialize, timeout=10)
    assistant = opened.headers["Mcp-Session-Id"]
    headers = {"Mcp-Session-Id": assistant, "Authorization": f"Bearer {CALLBACK_TOKEN}"}
    assert requests.post(f"{running}/mcp", json=request("ping"), headers=headers, timeout=10).ok
    log = tmp_path / "log"
    wait_until(lambda: attempts_to_verify(tmp_path) == (1,))
    page = browser.get(f"{running}/admin/websub/verification/", timeout=10)
    assert page.status_code == 200

    pushed = f"{running}/api/sources/1/{PUSH_TOKEN}"
    assert requests.post(pushed, b"[]", timeout=10).status_code == 404
    for file in tmp_path.glob("reviews.sqlite3*"):
        file.write_bytes(b"no database" * 1_000)
    assert requests.post(pushed, b"[]", timeout=10).status_code >= 500
    lost = requests.get(f"{running}/reviews?token={PUSH_TOKEN}", timeout=10)

    said = log.read_text()
    assert "DEBUG" in said
    assert said.count("/api/sources/1/[hidden]") >= 3  # Log lines of the web server and of Django.
    secrets = [KEY, PASSWORD, WRONG, HUB_SECRET, CALLBACK_TOKEN, PUSH_TOKEN, session, assistant]
    assert [secret for secret in secrets if secret in said + lost.text] == []
    assert HUB_SECRET not in page.text


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_unreachable_broker_is_reported_without_password(tmp_path, silent_port, scheme):
    values = environment(
        tmp_path,
        SECRET_KEY=KEY,
        BASE_URL=BASE,
        CELERY_BROKER_URL=f"{scheme}://user:open-sesame@127.0.0.1:{silent_port}/",
    )
    command = ["-m", "celery", "-A", "config", "worker", "--pool", "threads"]
    log = tmp_path / "log"
    with python_process(*command, env=values, log=log) as process:
        wait_until(lambda: b"Cannot connect" in log.read_bytes())
        process.kill()

    assert "open-sesame" not in log.read_text()
    assert "Traceback" not in log.read_text()
