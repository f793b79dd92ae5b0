"""Build all packages: `python -m tools.wheels [FOLDER]`, by default into `dist/`.

Each library is a folder with its own `pyproject.toml`. The project's `pyproject.toml` is that of
the whole service. Builds are reproducible and pass `twine check --strict`. If REPOSITORY_URL is
set, packages link to it. The neural network's package includes the weights of `make train-neural`
or NEURAL_WEIGHTS, if any. The first build needs the network, for `requirements-packages.txt`.
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
# `make train-neural` writes the weights, which are not in the repository.
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
    """Return the name on PyPI of the package in a folder."""
    project = tomllib.loads((ROOT / name / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["name"])


def run_tool(*arguments: str) -> str:
    """Run a module in the environment of `requirements-packages.txt`; return its output."""
    subprocess.run(["make", "--silent", ".venv-packages/.installed"], cwd=ROOT, check=True)
    done = subprocess.run([PYTHON, "-m", *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def build(names: list[str], target: Path) -> list[Path]:
    """Build wheels and source distributions of libraries; return the wheels."""
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
    """Build wheel and source distribution of the service; return the wheel."""
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
