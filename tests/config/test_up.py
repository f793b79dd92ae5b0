"""`manage.py up`, from an empty folder to a running service and back."""

import http.client
import json
import operator
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from config import run as local
from config.env import SettingRefused
from config.management.commands import up as up_command
from core.db import errors as database_errors
from tests.processes import ROOT, environment, run
from tests.waiting import TIMEOUT_SECONDS
from tests.websub.rows import make_subscription
from tools.chaos.processes import is_listening


@pytest.fixture
def installation(monkeypatch, tmp_path):
    """Return a separate folder, with no settings in the environment."""
    monkeypatch.setattr(local, "STATE_DIR", tmp_path)
    monkeypatch.setattr(local, "LOCAL_ENV", tmp_path / "local.env")
    monkeypatch.setattr(local, "GIVEN", frozenset())
    monkeypatch.setenv("HOST", "")
    for name in ("SECRET_KEY", "BASE_URL"):
        monkeypatch.setenv(name, "before")  # Restored afterwards.
        monkeypatch.delenv(name)
    return tmp_path


@contextmanager
def prepared(wanted: int) -> Iterator[local.Address]:
    held, local._held = local._held, []
    try:
        yield local.prepare.__wrapped__(wanted)
    finally:
        for each in local._held:
            each.close()
        local._held = held


@pytest.fixture
def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def test_secret_key_and_address_are_created_once_and_private(installation, free_port):
    with prepared(free_port) as made:
        first = (installation / "local.env").read_text()
        address = made.url
    with prepared(free_port):
        second = (installation / "local.env").read_text()

    assert first == second
    assert re.fullmatch(
        rf"# Made by .*\nSECRET_KEY=[\w-]{{64}}\nBASE_URL={re.escape(address)}\n", first
    )
    assert stat.S_IMODE((installation / "local.env").stat().st_mode) == 0o600
    assert os.environ["BASE_URL"] == address


def test_second_start_keeps_address_of_running_one(installation, free_port):
    with prepared(free_port) as first, prepared(free_port) as second:
        assert second.port > free_port
        assert os.environ["BASE_URL"] == first.url


def test_start_after_first_has_ended_announces_own_address(installation, free_port):
    with prepared(free_port), prepared(free_port) as second:
        later = second.port
    with prepared(later):
        assert os.environ["BASE_URL"] == f"http://127.0.0.1:{later}"


@pytest.mark.parametrize("name", ["no.such.invalid", "a..b", "x" * 70])
def test_unresolvable_host_is_refused(installation, monkeypatch, free_port, name):
    def look_up(name, *_, **__):
        if ".invalid" in name:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return name.encode("idna")  # The real resolver raises UnicodeError too.

    monkeypatch.setenv("HOST", name)
    monkeypatch.setattr(socket, "getaddrinfo", look_up)

    with pytest.raises(SettingRefused, match="which is not an address"):
        local.prepare.__wrapped__(free_port)


@pytest.mark.parametrize("text", ["0", "65536", "-1", "8000x", "", "٨٠٠٠", "9" * 100])
def test_port_is_a_number_from_1_to_65535(tmp_path, text):
    with pytest.raises(local.argparse.ArgumentTypeError, match="is not a port"):
        local.port_number(text)


class Up:
    """A running `manage.py up`, and its output so far."""

    def __init__(self, state_dir: Path, *arguments: str, **values: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--no-demo", *arguments],
            cwd=ROOT,
            env=environment(state_dir, CELERY_BROKER_URL="filesystem://", **values),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        with self.process.stdout as stream:
            self.lines.extend(line.rstrip("\n") for line in iter(stream.readline, ""))

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def wait_for(self, pattern: str, count: int = 1) -> str:
        wait_until(lambda: len(re.findall(pattern, self.text)) >= count, self)
        return re.findall(pattern, self.text)[-1]

    def children(self) -> list[int]:
        """Return the process ids that `up` started, oldest first: web, then worker."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parent, began = operator.itemgetter(1, 19)(
                    (folder / "stat").read_text().rpartition(")")[2].split()
                )
            except OSError:
                continue
            if int(parent) == self.process.pid:
                found.append((int(began), int(folder.name)))
        return [pid for _, pid in sorted(found)]

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=20)
        self._reader.join()
        return code


def wait_until(is_so: Callable[[], bool], up: Up) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, f"It did not come about in time:\n{up.text}"
        assert up.process.poll() is None, f"It ended too early:\n{up.text}"
        time.sleep(0.1)


@contextmanager
def running(state_dir: Path, *arguments: str, **values: str) -> Iterator[Up]:
    up = Up(state_dir, *arguments, **values)
    try:
        yield up
    finally:
        if up.process.poll() is None:
            up.stop()


def get(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


@contextmanager
def idle_connections(port: int, number: int) -> Iterator[None]:
    """Open clients that keep their connection for the next request."""
    with ExitStack() as stack:
        for _ in range(number):
            idle = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert idle.recv(12) == b"HTTP/1.1 200"
        yield


@pytest.mark.django_db
def test_orphaned_subscriptions_are_reported_at_start(capsys):
    make_subscription(topic="https://former.example/feed.xml")

    up_command._set_up(with_demo=False)

    said = capsys.readouterr()
    assert "(websub.W003) 1 subscription is to topics that are not served" in said.err
    assert "identified" not in said.out


@pytest.mark.django_db
def test_administrator_gets_password_of_environment(monkeypatch, capsys):
    monkeypatch.setenv("ADMIN_PASSWORD", "a-password-of-mine")

    up_command._make_admin()

    assert User.objects.get(username="admin").check_password("a-password-of-mine")
    assert "a-password-of-mine" not in capsys.readouterr().out


@pytest.mark.django_db
def test_weak_password_of_environment_is_refused(monkeypatch):
    monkeypatch.setenv("ADMIN_PASSWORD", "12345")

    with pytest.raises(SettingRefused, match="ADMIN_PASSWORD is too weak"):
        up_command._make_admin()

    assert not User.objects.exists()


@pytest.mark.slow
def test_confirmed_address_restarts_installation(tmp_path, free_port):
    with running(tmp_path, "--no-worker", "--port", str(free_port), HOST="0.0.0.0") as up:
        up.wait_for(r"BASE_URL is not set: published links start with http://localhost")
        (tmp_path / "public_address").write_text("http://reviews.example.com\n")
        up.wait_for(r"Published links start with http://reviews\.example\.com")
        up.wait_for(r"Ready:", 2)
        assert b"http://reviews.example.com/" in get(free_port, "/feed.xml")[1]
        assert up.stop() == 0
    assert up.text.count("Made the administrator") == 1


@pytest.mark.slow
def test_up_starts_restarts_and_stops_processes(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as occupant:
        taken = occupant.getsockname()[1]
        with running(tmp_path, "--port", str(taken)) as up:
            port = int(up.wait_for(r"Health +http://127\.0\.0\.1:(\d+)/readyz"))
            assert port > taken
            assert f"up     | Port {taken} is taken; listening on {port} instead." in up.lines
            assert up.text.count("Made the administrator 'admin' with the password ") == 1

            assert get(port, "/healthz")[0] == 200
            wait_until(lambda: ready(port)["worker"] == ready(port)["scheduler"] == "ok", up)
            assert get(port, "/admin/login/")[0] == 200
            with idle_connections(port, 200):
                assert get(port, "/healthz")[0] == 200

            children = up.children()
            web, worker = children
            os.kill(worker, signal.SIGKILL)
            up.wait_for(r"worker has ended \(signal SIGKILL\); it is started again in 1 s\.")
            wait_until(lambda: worker not in up.children() and len(up.children()) == 2, up)
            children = up.children()
            assert children[0] == web

            with running(tmp_path, "--no-worker", "--port", str(port)) as beside:
                other = int(beside.wait_for(r"Home +http://127\.0\.0\.1:(\d+)/"))
                beside.wait_for(rf"Published links start with http://127\.0\.0\.1:{port}\b")
                assert len(beside.children()) == 1
                assert "Made the administrator" not in beside.text
                assert get(other, "/reviews.json") == get(port, "/reviews.json")

            assert up.stop() == 0

    assert up.lines[-1] != ""
    assert not is_listening(port)
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]


@pytest.mark.slow
def test_up_without_database_is_one_sentence(tmp_path, free_port, silent_port):
    url = f"postgres://u:open-sesame@127.0.0.1:{silent_port}/reviews?connect_timeout=1"

    done = run(
        "manage.py", "up", "--port", str(free_port), env=environment(tmp_path, DATABASE_URL=url)
    )

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(database_errors.UNREACHABLE)
    assert "Traceback" not in done.stderr
    assert "Ready" not in done.stdout


def ready(port: int) -> dict[str, str]:
    status, body = get(port, "/readyz")
    assert status == 200
    return json.loads(body)
