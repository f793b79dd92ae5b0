"""Build the wheels of the libraries: `python -m tools.wheels [FOLDER]`, by default into `dist/`.

Each library is a folder with a `pyproject.toml` of its own. It is built from a copy, so that
nothing is left beside the code. Needs the network for the build backend.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def libraries() -> list[str]:
    return sorted(path.parent.name for path in ROOT.glob("*/pyproject.toml"))


def build(names: list[str], target: Path) -> list[Path]:
    """The wheels of these libraries, in `target`."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        copies = []
        for name in names:
            copy = Path(folder) / name
            shutil.copytree(ROOT / name, copy, ignore=shutil.ignore_patterns("__pycache__"))
            copies.append(str(copy))
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        subprocess.run([*command, "--wheel-dir", str(target), *copies], check=True)
    return [next(target.glob(f"{name}-*.whl")) for name in names]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    for wheel in build(libraries(), folder):
        sys.stdout.write(f"{wheel}\n")
