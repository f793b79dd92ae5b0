"""Environments that hold one library and its declared dependencies, and nothing else of ours."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tools import wheels

SERVICE_SETTINGS = ("DJANGO_SETTINGS_MODULE", "PYTHONPATH")


class Environment:
    """An environment of its own with one library, and a folder of a foreign project."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "environment" / "bin" / "python"

    def run(self, *arguments: str, **values: str) -> str:
        """The output of Python with these arguments, in the project's folder."""
        kept = {name: value for name, value in os.environ.items() if name not in SERVICE_SETTINGS}
        done = subprocess.run(
            [self.python, *arguments],
            cwd=self.folder,
            env={**kept, **values},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def write(self, name: str, content: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path


@pytest.fixture(scope="session")
def built(tmp_path_factory) -> dict[str, Path]:
    """The wheel of each library by its name."""
    names = wheels.libraries()
    folder = tmp_path_factory.mktemp("wheels")
    return dict(zip(names, wheels.build(names, folder), strict=True))


@pytest.fixture
def installed(built, tmp_path):
    """Installs one library, with those of ours that it builds on, and packages of others."""

    def install(name: str, *packages: str, with_ours: tuple[str, ...] = ()) -> Environment:
        environment = Environment(tmp_path)
        venv.create(tmp_path / "environment", with_pip=True)
        command = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        wheels_of_ours = [str(built[each]) for each in (name, *with_ours)]
        environment.run(*command, *wheels_of_ours, *packages)
        modules = environment.run("-m", "pip", "list", "--format=freeze").splitlines()
        ours = {line.partition("=")[0].replace("-", "_") for line in modules} & set(built)
        assert ours == {name, *with_ours}, sys.path
        return environment

    return install
