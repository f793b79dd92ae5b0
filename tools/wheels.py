"""Build all packages: `python -m tools.wheels [FOLDER]`, by default into `dist/`.

Each library is a folder with a `pyproject.toml` of its own; the whole service is the distribution
of the project's. A wheel and a source distribution hold the same bytes whenever and wherever they
are built, and pass `twine check --strict`. Links to a repository are theirs where REPOSITORY_URL
names one; the neural network has the weights that `make train-neural` or NEURAL_WEIGHTS left, if
any. Needs the network once, for the tools of `requirements-packages.txt`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv-packages" / "bin" / "python"
# The network's weights are in no repository: `make train-neural` writes them.
WEIGHTS = ROOT / "var" / "neural-weights.npz"
URLS = """
[project.urls]
Source = "{repository}/tree/HEAD/{name}"
Changelog = "{repository}/blob/HEAD/{name}/CHANGELOG.md"
Issues = "{repository}/issues"
"""


def libraries() -> list[str]:
    return sorted(path.parent.name for path in ROOT.glob("*/pyproject.toml"))


def distribution(name: str) -> str:
    """The name on PyPI of what lies in this folder."""
    project = tomllib.loads((ROOT / name / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["name"])


def run_tool(*arguments: str) -> str:
    """The output of a module of the environment of `requirements-packages.txt`."""
    subprocess.run(["make", "--silent", ".venv-packages/.installed"], cwd=ROOT, check=True)
    done = subprocess.run([PYTHON, "-m", *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def build(names: list[str], target: Path) -> list[Path]:
    """The wheels of these libraries, in `target` with the source distributions."""
    repository = os.environ.get("REPOSITORY_URL")
    weights = Path(os.environ.get("NEURAL_WEIGHTS", WEIGHTS))
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            copy = Path(folder) / name
            shutil.copytree(ROOT / name, copy, ignore=shutil.ignore_patterns("__pycache__"))
            if name == "review_analysis_neural" and weights.exists():
                shutil.copyfile(weights, copy / "weights.npz")
            if repository:
                with (copy / "pyproject.toml").open("a", encoding="utf-8") as file:
                    file.write(URLS.format(repository=repository, name=name))
            run_tool("build", "--quiet", "--no-isolation", "--outdir", str(target), str(copy))
    return [_checked(distribution(name), target) for name in names]


def build_service(target: Path) -> Path:
    """The wheel of the whole service, in `target` with the source distribution."""
    run_tool("build", "--quiet", "--no-isolation", "--outdir", str(target), str(ROOT))
    return _checked(distribution("."), target)


def _checked(distribution: str, target: Path) -> Path:
    stem = distribution.replace("-", "_")
    run_tool("twine", "check", "--strict", *map(str, target.glob(f"{stem}-[0-9]*")))
    return next(target.glob(f"{stem}-[0-9]*.whl"))


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    for wheel in [*build(libraries(), folder), build_service(folder)]:
        sys.stdout.write(f"{wheel}\n")
