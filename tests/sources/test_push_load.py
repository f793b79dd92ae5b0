"""A hundred pushes at once, at a web process as senders meet it."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from tests.processes import environment, run
from tests.sources.rows import entry
from tests.web import web_processes

pytestmark = pytest.mark.slow

THREADS = 100
MADE = """
import django
django.setup()
from sources.connectors import CONNECTORS
from sources.models import SourceConnection
from sources.selectors import push_address
from sources.services import save_connection
form = CONNECTORS["push"].form({})
assert form.is_valid()
connection = SourceConnection(name="Zapier", kind="push", import_options={"source": "google"})
print(push_address(save_connection(connection, form)))
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    state = tmp_path_factory.mktemp("pushes")
    with web_processes(state, GRANIAN_BLOCKING_THREADS="4") as (port,):
        base = f"http://127.0.0.1:{port}"
        values = {"SECRET_KEY": "k" * 50, "BASE_URL": base, "CELERY_BROKER_URL": "memory://"}
        values["DJANGO_SETTINGS_MODULE"] = "config.settings"
        made = run("-c", MADE, env=environment(state, **values))
        assert made.returncode == 0, made.stderr
        yield made.stdout.strip().splitlines()[-1]


def test_hundred_pushes_at_once_are_all_accepted_and_the_sign_in_answers(address):
    sign_in = f"{address.partition('/api/')[0]}/admin/login/"

    def send(number):
        """Send a review as senders do: again when that is asked for."""
        answer = requests.post(address, json=entry(number), timeout=60)
        while answer.status_code == 503:  # On a busy machine a push waited for too long.
            time.sleep(int(answer.headers["Retry-After"]))
            answer = requests.post(address, json=entry(number), timeout=60)
        return answer.status_code, answer.json()["run"]

    browser = requests.Session()
    browser.get(sign_in, timeout=60)
    form = {"csrfmiddlewaretoken": browser.cookies["csrftoken"], "username": "a", "password": "b"}
    with ThreadPoolExecutor(THREADS) as pool:
        pushes = [pool.submit(send, number) for number in range(THREADS)]
        answer = browser.post(sign_in, form, timeout=60)
        answers = [push.result() for push in pushes]

    assert Counter(status for status, _ in answers) == {202: THREADS}
    assert len({run for _, run in answers}) == THREADS
    assert answer.status_code == 200
