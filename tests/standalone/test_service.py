"""The whole service from its package, started by `uvx` and `pipx run` without a network."""

import json
import os
import signal
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from email.parser import Parser

import pytest
from packaging.requirements import Requirement

from reviews import VERSION
from tests.processes import ROOT, reserved_port
from tests.waiting import TIMEOUT_SECONDS, wait_until
from tools import wheels

pytestmark = pytest.mark.standalone

FOLDER = ".local/share/reviewstead"
NOT_PACKED = ("tests/", "tools/", "docs/", "examples/", "deploy/", ".")


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """Return a folder with the service's package and its pinned requirements."""
    folder = tmp_path_factory.mktemp("index")
    wheels.build_service(folder)
    download = ["-m", "pip", "download", "--quiet", "--require-hashes", "--dest", str(folder)]
    pins = str(ROOT / "requirements.txt")
    subprocess.run([sys.executable, *download, "--requirement", pins], check=True)
    return folder


@pytest.fixture
def command(index, tmp_path):
    """Run `reviewstead` with a new home and the folder as index."""
    tools = wheels.PYTHON.parent
    env = {
        "HOME": str(tmp_path),
        "PATH": f"{tools}:{os.environ['PATH']}",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(index),
        "PIP_CONFIG_FILE": os.devnull,
        "UV_OFFLINE": "1",
        "UV_NO_INDEX": "1",
        "UV_NO_CONFIG": "1",
        "UV_FIND_LINKS": str(index),
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
    }
    wheel = next(index.glob("reviewstead-*.whl"))
    starts = {
        "uvx": ["uvx", "reviewstead[pinned]"],
        "pipx": ["pipx", "run", "--spec", str(wheel), "reviewstead"],
    }

    def start(tool: str, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*starts[tool], *arguments],
            cwd=tmp_path,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    return start


@contextmanager
def running(process: subprocess.Popen[str]) -> Iterator[str]:
    """Yield the lines that the service prints until it is ready. End it as Ctrl-C does."""
    try:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "Ctrl-C stops everything." in line:
                break
        assert "Ready:" in "".join(lines), lines
        yield "".join(lines)
        process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT_SECONDS) == 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.stdout.close()


def get(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as response:
        return response.read().decode()


def test_uvx_starts_demo(command, tmp_path):
    with reserved_port() as port:
        pass
    with running(command("uvx", "--port", str(port))) as said:
        assert "The database is empty: loading the demo." in said
        assert "<title>" in get(port, "/")
        assert "color" in get(port, "/static/website/site.css")
        assert json.loads(get(port, "/insights.json"))["summary"]

    assert (tmp_path / FOLDER / "demo/reviews.sqlite3").exists()
    assert {path.name for path in (tmp_path / FOLDER).iterdir()} == {"demo"}


def test_pipx_starts_installation_that_imports_a_file(command, tmp_path):
    with reserved_port() as port:
        pass
    with running(command("pipx", "up", "--port", str(port))) as said:
        assert "loading the demo" not in said
        assert json.loads(get(port, "/reviews.json"))["reviews"] == []

        reviews = str(ROOT / "demo" / "new_reviews.csv")
        done = command("pipx", "manage", "import_reviews", reviews, "--accept")
        assert done.wait(TIMEOUT_SECONDS) == 0, done.stdout.read()
        done.stdout.close()
        wait_until(lambda: len(json.loads(get(port, "/reviews.json"))["reviews"]) == 2)

    assert (tmp_path / FOLDER / "reviews.sqlite3").stat().st_mode & 0o077 == 0


def test_paths_and_settings_are_relative_to_data_folder(command, tmp_path):
    data = tmp_path / FOLDER
    data.mkdir(parents=True)
    values = f"SECRET_KEY={'k' * 50}\nBASE_URL=http://shop.example\nINBOX_DIR=in\n"
    (data / ".env").write_text(values)
    values = "s.BASE_URL, s.INBOX_DIR, s.STATE_DIR, *s.LOCALE_PATHS"
    show = f"from django.conf import settings as s; print({values})"

    done = command("uvx", "manage", "shell", "--no-imports", "-c", show)

    said = done.communicate(timeout=TIMEOUT_SECONDS)[0].splitlines()[-1]
    given, _, words = said.rpartition(" ")
    assert given == f"http://shop.example {data}/in {data}"
    assert words.endswith("site-packages/reviewstead/service/config/locale")


def test_unknown_command_lists_commands(command):
    done = command("uvx", "strat")

    said = done.communicate(timeout=TIMEOUT_SECONDS)[0]
    assert done.returncode == 1
    assert "There is no command 'strat'. `reviewstead --help` lists those there are." in said


def test_wheel_holds_files_of_service_in_one_package(index):
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    left_out = (".md", "LICENSE", "pyproject.toml", ".po", "LICENSE-WEIGHTS")
    wanted = {
        f"reviewstead/service/{path}"
        for path in listed
        if "/" in path and not path.startswith((*NOT_PACKED, "reviewstead/"))
        if not path.endswith(left_out)
    }
    with zipfile.ZipFile(next(index.glob("reviewstead-*.whl"))) as wheel:
        packed = {name for name in wheel.namelist() if ".dist-info/" not in name}

    assert len(wanted) > 600
    assert packed - wanted <= {
        "reviewstead/service/config/commit.txt",
        "reviewstead/__init__.py",
        "reviewstead/__main__.py",
        "reviewstead/service/manage.py",
        "reviewstead/service/review_analysis_neural/LICENSE-WEIGHTS",
    }
    assert wanted - packed == set()


def test_metadata_requires_tested_versions(index, monkeypatch, tmp_path):
    monkeypatch.setenv("REPOSITORY_URL", "https://code.example/reviews")
    wheel = wheels.build_service(tmp_path)
    with zipfile.ZipFile(wheel) as archive:
        inside = {each.partition("/")[2]: each for each in archive.namelist()}
        metadata = Parser().parsestr(archive.read(inside["METADATA"]).decode())
    needs = [Requirement(line) for line in metadata.get_all("Requires-Dist")]
    pins = {need.name: need.specifier for need in needs if "pinned" in str(need.marker)}

    assert metadata["Version"] == VERSION
    assert "Source, https://code.example/reviews" in metadata.get_all("Project-URL")
    for need in needs:
        if need.marker is None:
            assert need.specifier, need
            assert need.specifier.contains(str(pins[need.name])[2:]), need


def test_packages_of_service_are_reproducible(index, tmp_path):
    wheels.build_service(tmp_path)

    packages = sorted(path.name for path in tmp_path.iterdir())
    assert [name.split("-")[0] for name in packages] == ["reviewstead", "reviewstead"]
    for name in packages:
        assert (tmp_path / name).read_bytes() == (index / name).read_bytes(), name
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        assert {member.uid for member in archive} == {0}
