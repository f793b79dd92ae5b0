"""Run `start.py` as in a fresh clone, with Python alone and own requirements."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ROOT
from tests.waiting import TIMEOUT_SECONDS

# A small replacement for `venv`, which takes seconds.
QUICK_VENV = """
import pathlib, sys
python = pathlib.Path(sys.argv[1], "bin", "python")
python.parent.mkdir(parents=True)
python.write_text('#!/bin/sh\\nexec "{python}" "$@"\\n')
python.chmod(0o755)
"""
SHOW_ARGUMENTS = "import os, sys; print(os.getcwd(), *sys.argv[1:])\n"
SHOW_SETTINGS = "import os, beside; print(os.environ.get('DJANGO_SETTINGS_MODULE', 'ours'))\n"


@pytest.fixture
def clone(tmp_path):
    """Create a project with the real `start.py` and empty requirements."""
    shutil.copy(ROOT / "start.py", tmp_path)
    (tmp_path / "manage.py").write_text(SHOW_ARGUMENTS)
    (tmp_path / "requirements.txt").write_text("")
    (tmp_path / "requirements-dev.txt").write_text("# More.\n")
    return tmp_path


def start(clone: Path, *arguments: str, **values: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(clone / "start.py"), *arguments],
        cwd="/",
        env={**os.environ, "PIP_NO_INDEX": "1", **values},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )


@pytest.mark.slow
def test_missing_packages_are_explained():
    bare = [sys.executable, "-S", "-E", str(ROOT / "manage.py"), "import_reviews", "reviews.csv"]

    done = subprocess.run(bare, cwd="/", capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (1, "")
    assert "`python3 start.py install`" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def module():
    spec = importlib.util.spec_from_file_location("start", ROOT / "start.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.mark.slow
def test_environment_is_created_once_and_updated(clone):
    first = start(clone, "--port", "9000")
    assert first.stdout.splitlines() == [
        "Making .venv",
        "Installing requirements.txt into .venv (once; a minute or two)",
        f"{clone} up --port 9000",
    ]

    second = start(clone, "up", "--no-demo")
    assert (second.stdout, second.returncode) == (f"{clone} up --no-demo\n", 0)

    (clone / "requirements.txt").write_text("# Changed.\n")
    third = start(clone, "install")
    assert third.stdout == "Installing requirements.txt into .venv (once; a minute or two)\n"

    (clone / "requirements.txt").write_text("nothing-of-this-name==1.0 --hash=sha256:00\n")
    fourth = start(clone)
    assert fourth.returncode == 1
    assert fourth.stderr.splitlines()[-1].startswith(
        "The packages could not be installed; pip says"
    )
    assert not (clone / ".venv" / ".installed").exists()


@pytest.mark.slow
def test_shell_variables_of_other_projects_are_ignored(clone):
    (clone / "manage.py").write_text(SHOW_SETTINGS)
    (clone / "beside.py").touch()
    given = {"PIP_USER": "1", "PYTHONSAFEPATH": "1", "DJANGO_SETTINGS_MODULE": "shop.settings"}

    done = start(clone, **given)

    assert (done.stdout.splitlines()[-1], done.stderr) == ("ours", "")


@pytest.mark.slow
def test_environment_without_python_is_created_again(module, monkeypatch, clone):
    monkeypatch.setattr(module, "ROOT", clone)
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / ".installed").write_text(module.fingerprint(module.SERVICE))
    (clone / "venv.py").write_text(QUICK_VENV.format(python=sys.executable))

    done = start(clone, PYTHONPATH=str(clone))

    assert done.stdout.splitlines() == [
        "Making .venv",
        "Installing requirements.txt into .venv (once; a minute or two)",
        f"{clone} up",
    ]


@pytest.mark.slow
def test_missing_venv_module_is_explained(clone):
    (clone / "venv.py").write_text("raise SystemExit('No module named ensurepip')\n")

    done = start(clone, "install", PYTHONPATH=str(clone))

    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "No module named ensurepip",
        (
            ".venv could not be made; Python says why above. If venv or pip is missing, on Debian "
            "and Ubuntu: apt install python3-venv. Then start again."
        ),
    ]


def test_old_python_is_explained(module, monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(sys, "version", "3.9.2 (default)")

    with pytest.raises(SystemExit) as ended:
        module.main([])

    assert ended.value.code == 1
    assert capsys.readouterr().err == (
        "Python 3.11 or newer is needed; this is 3.9.2. Try: python3.11 start.py\n"
    )
