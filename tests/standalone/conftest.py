"""Environments with one library of this project and its declared dependencies alone."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.review_analysis_neural import networks
from tests.waiting import wait_until
from tools import wheels
from tools.chaos.processes import is_listening

SERVICE_SETTINGS = ("DJANGO_SETTINGS_MODULE", "PYTHONPATH", "MYPYPATH")
MEASURE = """
import importlib.metadata, json
found = {each.name: sum(file.size or 0 for file in each.files) for each in
         importlib.metadata.distributions()}
print(json.dumps(found))
"""
ENVIRONMENTS = pytest.StashKey[dict[tuple[str, ...], Path]]()
SIZES = pytest.StashKey[dict[str, str]]()


class Environment:
    """A virtual environment with one library, and the folder of a foreign project."""

    def __init__(self, folder: Path, python: Path) -> None:
        self.folder = folder
        self.python = python

    def run(self, *arguments: str, **values: str) -> str:
        """Run Python with these arguments in the project's folder. Return its output."""
        return self._output(str(self.python), *arguments, **values)

    def mypy(self, *paths: str) -> str:
        """Run mypy --strict on modules that use the installed library."""
        options = ["--strict", "--config-file=", "--python-executable", str(self.python)]
        return self._output(sys.executable, "-m", "mypy", *options, *paths)

    @contextmanager
    def started(
        self, *arguments: str, port: int | None = None, **values: str
    ) -> Iterator[subprocess.Popen[str]]:
        """Run Python with these arguments. Wait until it listens if it has a port."""
        with subprocess.Popen(
            [self.python, *arguments],
            cwd=self.folder,
            env=_without_ours() | values,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            try:
                if port:
                    wait_until(lambda: is_listening(port))
                yield process
            finally:
                process.terminate()

    def _output(self, *command: str, **values: str) -> str:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=_without_ours() | values,
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


def _without_ours() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in SERVICE_SETTINGS}


@pytest.fixture(scope="session")
def built(tmp_path_factory) -> Iterator[dict[str, Path]]:
    """Return the wheel of each library by name, beside its source distribution.

    The neural network has the weights of a small one.
    """
    names = wheels.libraries()
    folder = tmp_path_factory.mktemp("wheels")
    weights = tmp_path_factory.mktemp("weights") / "weights.npz"
    networks.write(weights, networks.judging_network())
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("NEURAL_WEIGHTS", str(weights))
        yield dict(zip(names, wheels.build(names, folder), strict=True))


@pytest.fixture
def installed(built, tmp_path, tmp_path_factory, pytestconfig):
    """Install one library, our libraries that it requires, and other packages."""
    environments = pytestconfig.stash.setdefault(ENVIRONMENTS, {})

    def install(name: str, *packages: str, with_ours: tuple[str, ...] = ()) -> Environment:
        key = (name, *packages)
        if key not in environments:
            folder = tmp_path_factory.mktemp("environment")
            venv.create(folder, with_pip=True)
            environment = Environment(tmp_path, folder / "bin" / "python")
            command = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            environment.run(*command, *(str(built[each]) for each in (name, *with_ours)))
            sizes = json.loads(environment.run("-c", MEASURE))
            ours = {each for each in built if wheels.distribution(each) in sizes}
            assert ours == {name, *with_ours}
            pytestconfig.stash.setdefault(SIZES, {})[name] = _described(built[name], sizes)
            if packages:
                environment.run(*command, *packages)
            environments[key] = environment.python
        return Environment(tmp_path, environments[key])

    return install


def _described(wheel: Path, sizes: dict[str, int]) -> str:
    with zipfile.ZipFile(wheel) as archive:
        modules = [archive.read(name) for name in archive.namelist() if name.endswith(".py")]
    lines = sum(module.count(b"\n") for module in modules)
    own = {wheel.name.partition("-")[0].replace("_", "-"), "pip", "setuptools"}
    others = {name: size for name, size in sizes.items() if name not in own}
    return (
        f"{wheel.name}: {wheel.stat().st_size / 1000:,.0f} kB, {lines:,} lines; brings "
        f"{sum(others.values()) / 1e6:,.1f} MB ({', '.join(sorted(others)) or 'nothing'})"
    )


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for _, line in sorted(config.stash.get(SIZES, {}).items()):
        terminalreporter.write_line(line)
