"""Build the Dockerfile's files and steps without a container engine.

Nothing but the volume is written to.
"""

import compileall
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.deploy.files import ROOT, compose, image_files
from tests.processes import environment
from tests.sources.servers import Reply, maker_server


@pytest.fixture
def image(tmp_path):
    """Return the folder /app of the image."""
    app = tmp_path / "app"
    for path in image_files():
        target = app / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    compileall.compile_dir(app, quiet=1)
    return app


@pytest.fixture
def values(image, tmp_path):
    """Return the environment of image and compose, with files for database and broker."""
    (tmp_path / "state").mkdir()
    return environment(
        tmp_path / "state",
        SECRET_KEY="k" * 50,
        BASE_URL="https://reviews.example.com",
        TRUSTED_PROXY_COUNT="1",
        FORWARDED_HEADER="Forwarded",
        STATIC_ROOT=str(image / "static"),
        PYTHONDONTWRITEBYTECODE="1",
        PYTHONUNBUFFERED="1",
        PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    )


def files_in(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@contextmanager
def running(command, image, values):
    process = subprocess.Popen(
        command, cwd=image, env=values, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        assert process.returncode == 0, f"{command} ended with {process.returncode}"


def probe(image, values, *arguments):
    command = [sys.executable, "-I", "config/http_probe.py", *arguments]
    return subprocess.run(
        command, cwd=image, env=values, capture_output=True, text=True, check=False
    )


def wait_until_healthy(image, values, *arguments):
    deadline = time.monotonic() + 60
    while (last := probe(image, values, *arguments)).returncode:
        assert time.monotonic() < deadline, last.stdout
        time.sleep(0.3)


def test_image_holds_only_files_of_service():
    tops = {path.relative_to(ROOT).parts[0] for path in image_files()}

    assert {"manage.py", "config", "reviews", "website", "websub", "publishing"} <= tops
    assert not tops & {"tests", "benchmarks", "chaos", "docs", "var", ".git", ".venv", ".env"}
    assert not any("__pycache__" in path.parts for path in image_files())


@pytest.mark.slow
@pytest.mark.scale
def test_roles_run_from_read_only_files(image, values, silent_port):
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(collect, cwd=image, env=values, check=True)
    before = files_in(image)
    services = compose()["services"]
    web = list(services["web"]["command"])
    web[web.index("--host") + 1], web[web.index("--port") + 1] = "127.0.0.1", str(silent_port)
    subprocess.run(services["migrate"]["command"], cwd=image, env=values, check=True)
    address = f"http://127.0.0.1:{silent_port}"

    with ExitStack() as stack:
        stack.enter_context(running(web, image, values))
        for name in ("worker", "hub", "beat"):
            stack.enter_context(running(services[name]["command"], image, values))
        wait_until_healthy(image, values, f"{address}/healthz")
        wait_until_healthy(image, values, f"{address}/readyz", "worker", "scheduler")
        request = urllib.request.Request(
            f"{address}/static/website/site.css", headers={"Accept-Encoding": "br"}
        )
        with urllib.request.urlopen(request) as styles:
            coding = styles.headers["Content-Encoding"]

    assert coding == "br"  # Compressed when the image was built.
    assert files_in(image) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "code", "said"),
    [((), 0, ""), (("worker",), 1, "worker is stale"), (("nothing",), 1, "nothing is missing")],
)
def test_probe_names_problems(tmp_path, names, code, said):
    with maker_server() as server:
        server.reply = Reply(b'{"status":"ok","worker":"stale"}')
        done = probe(ROOT, environment(tmp_path), server.url("/readyz"), *names)

    assert done.returncode == code
    assert done.stdout.rstrip("\n").endswith(said)
