"""The files that an operator starts from, as data."""

import re
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]


def compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def explained_settings() -> set[str]:
    """Return the names in `.env.example`."""
    return set(re.findall(r"(?m)^#?([A-Z][A-Z0-9_]*)=", (ROOT / ".env.example").read_text()))


def instructions() -> list[tuple[str, str]]:
    """Return the Dockerfile as (instruction, rest), with continued lines joined."""
    text = (ROOT / "Dockerfile").read_text()
    joined = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", text))
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in joined.splitlines() if line]


def image_files() -> list[Path]:
    """Return the files that `COPY . .` copies.

    The last pattern of `.dockerignore` that matches a path decides.
    """
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    # Ignored top-level folders are skipped, since an environment has ten thousands of files.
    tops = [top for top in ROOT.iterdir() if not _is_ignored(top.relative_to(ROOT), patterns)]
    found = [path for top in tops for path in ([top] if top.is_file() else top.rglob("*"))]
    return [
        path
        for path in sorted(found)
        if path.is_file() and not _is_ignored(path.relative_to(ROOT), patterns)
    ]


def _is_ignored(path: Path, patterns: list[str]) -> bool:
    ignored = False
    for pattern in patterns:
        wanted = pattern.removeprefix("!")
        if any(_matches(place, wanted) for place in (path, *path.parents)):
            ignored = not pattern.startswith("!")
    return ignored


def _matches(path: Path, pattern: str) -> bool:
    if pattern == "**":
        return True
    if pattern.startswith("**/"):
        return fnmatch(PurePosixPath(path).name, pattern[3:])
    return str(path) == pattern
