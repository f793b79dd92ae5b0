"""Metrics sum up all processes of a machine, for scrapers that know the token."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.processes import ROOT, environment, run

pytestmark = pytest.mark.slow

pytest.importorskip("prometheus_client", reason="prometheus-client is not installed")

TOKEN = "a-long-token-for-tests"
GOOD = {
    "SECRET_KEY": "k" * 50,
    "BASE_URL": "http://127.0.0.1:8000",
    "DJANGO_SETTINGS_MODULE": "config.settings",
}

WEB = """
import io, os, sys
from config.wsgi import application

def ask(path, method="GET", **headers):
    environ = {
        "REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": "", "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000", "HTTP_HOST": "127.0.0.1:8000", "wsgi.input": io.BytesIO(),
        "wsgi.url_scheme": "http", "wsgi.errors": sys.stderr, "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1", **headers,
    }
    answer = {}
    def start(status, headers, *args):
        answer.update(status=status, headers=dict(headers))
    body = b"".join(application(environ, start))
    return answer["status"], answer["headers"], body.decode()
"""

COUNTING = (
    WEB
    + """
child = os.fork()
etag = ask("/reviews.json")[1]["ETag"]
assert ask("/reviews.json", HTTP_IF_NONE_MATCH=etag)[0].startswith("304")
ask("/no/such/page", method="FROB")
if not child:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
from celery import shared_task
from publishing.tasks import publish_due
from websub.signals import deliveries_attempted
publish_due.apply()
@shared_task(name="broken")
def broken():
    1 / 0
broken.apply()
deliveries_attempted.send(sender=None, attempts=[("failed", 0.5), ("acknowledged", 0.1)])
print(*ask("/metrics", HTTP_AUTHORIZATION="Bearer TOKEN"), sep="\\n")
"""
)


def values(text: str) -> dict[str, float]:
    return {
        name: float(value) for name, value in re.findall(r"^([^#\s]\S*) (\S+)$", text, re.MULTILINE)
    }


@pytest.fixture
def machine(migrated):
    return environment(migrated, **GOOD, METRICS_TOKEN=TOKEN)


def test_web_processes_and_tasks_are_counted_together(machine):
    done = run("-c", COUNTING.replace("TOKEN", TOKEN), env=machine)

    assert done.returncode == 0, done.stderr
    status, headers, text = done.stdout.split("\n", 2)
    assert status == "200 OK"
    assert "Access-Control-Allow-Origin" not in headers
    samples = values(text)
    of_reviews = 'reviews_requests_total{method="GET",resource="/reviews.json",status="%d"}'
    assert samples[of_reviews % 200] == samples[of_reviews % 304] == 2
    assert samples['reviews_requests_total{method="other",resource="other",status="404"}'] == 2
    assert samples['reviews_request_seconds_count{resource="/reviews.json"}'] == 4
    assert samples['reviews_task_seconds_count{task="publishing.tasks.publish_due"}'] == 1
    assert samples['reviews_task_failures_total{task="broken"}'] == 1
    assert samples['reviews_documents_published_total{path="/reviews.json"}'] == 1
    assert samples['reviews_deliveries_total{result="failed"}'] == 1
    assert samples['reviews_delivery_seconds_sum{result="acknowledged"}'] == 0.1
    assert samples["reviews_database_up"] == 1
    assert samples['reviews_subscriptions{state="active"}'] == 0
    assert samples['reviews_role_up{role="worker"}'] == 0
    assert samples['reviews_document_version{path="/reviews.json"}'] == 1


CONTAINERS = (
    """
import os, socket, subprocess, sys
name = sys.argv[1]
os.getpid, socket.gethostname = lambda: 7, lambda: name
"""
    + WEB
    + """
ask("/reviews.json")
if name == "web":
    subprocess.run([sys.executable, *sys.orig_argv[1:-1], "worker"], check=True)
    ask("/reviews.json")
    print(ask("/metrics", HTTP_AUTHORIZATION="Bearer TOKEN")[2])
"""
)


def age(folder: Path) -> None:
    for path in folder.iterdir():
        os.utime(path, (0, 0))


def test_files_of_ended_processes_are_removed_at_next_start(machine):
    folder = Path(machine["STATE_DIR"], "metrics")
    for _ in range(3):
        done = run("-c", COUNTING.replace("TOKEN", TOKEN), env=machine)

        samples = values(done.stdout.split("\n", 2)[2])
        assert samples['reviews_task_failures_total{task="broken"}'] == 1
        assert samples['reviews_request_seconds_count{resource="/reviews.json"}'] == 4
        assert len(list(folder.iterdir())) == 4  # Counters and histograms of parent and child.
        age(folder)


def test_files_of_live_processes_of_all_containers_are_kept_at_next_start(machine):
    folder = Path(machine["STATE_DIR"], "metrics")
    old = f"for entry in os.scandir({str(folder)!r}): os.utime(entry.path, (0, 0))"
    script = CONTAINERS.replace("TOKEN", TOKEN).replace("if name ==", f"{old}\nif name ==")

    done = run("-c", script, "web", env=machine)

    assert done.returncode == 0, done.stderr
    answered = 'reviews_requests_total{method="GET",resource="/reviews.json",status="200"}'
    assert values(done.stdout)[answered] == 3


NO_ROOM = (
    WEB
    + """
import resource
from publishing.tasks import publish_due
publish_due()
resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, 70_000))
print(ask("/reviews.json")[0])
print(ask("/metrics", HTTP_AUTHORIZATION="Bearer TOKEN")[0])
"""
)


def test_reading_goes_on_when_metrics_disk_is_full(machine):
    done = run("-c", NO_ROOM.replace("TOKEN", TOKEN), env=machine)

    assert done.stdout.splitlines() == ["200 OK", "200 OK"]
    assert "cannot be written (File too large). Process " in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 0


def test_metrics_need_the_token(machine):
    headers = ("", "Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN)
    ask = f"for header in {headers}: print(*ask('/metrics', HTTP_AUTHORIZATION=header))"

    answers = run("-c", f"{WEB}\n{ask}", env=machine).stdout.split("\n\n")

    assert len(answers) == len(headers) + 1
    for answer in answers[:-1]:
        assert answer.strip().startswith("401 Unauthorized")
        assert "'WWW-Authenticate': 'Bearer realm=\"metrics\"'" in answer
        assert answer.endswith("Send the value of METRICS_TOKEN as a bearer token.")


def test_metrics_are_not_found_without_token(machine):
    done = run("-c", f"{WEB}\nprint(ask('/metrics')[0])", env=machine | {"METRICS_TOKEN": ""})

    assert done.stdout == "404 Not Found\n"


LISTENING = """
import http.client, socket, sys, time
import django
django.setup()
from metrics import exposition
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
exposition.listen("127.0.0.1", port)
for token in ("TOKEN", "no"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/metrics", headers={"Authorization": "Bearer " + token})
    print(connection.getresponse().status)
exposition.listen("127.0.0.1", port)
"""


def test_worker_has_its_own_listener_and_survives_used_port(machine):
    done = run("-c", LISTENING.replace("TOKEN", TOKEN), env=machine)

    assert done.stdout.split() == ["200", "401"]
    assert "set it to a free port." in done.stderr.splitlines()[-1]


def test_missing_library_is_named_with_install_command(tmp_path):
    hidden = "import importlib.util as u; u.find_spec = lambda n, f=u.find_spec: "
    hidden += "None if n == 'prometheus_client' else f(n)\nimport config.settings"
    env = environment(tmp_path, **GOOD, METRICS_TOKEN=TOKEN)

    done = run("-c", hidden, env=env)

    assert done.returncode == 1
    command = f"{sys.executable} -m pip install --require-hashes -r requirements-metrics.txt"
    assert command in done.stderr
    assert "Traceback" not in done.stderr
    assert (ROOT / "requirements-metrics.txt").exists()
