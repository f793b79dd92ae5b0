"""Build hooks: dependencies of `reviewstead` from the requirements files, and its commit."""

import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).resolve().parent


class Requirements(MetadataHookInterface):  # type: ignore[misc]  # hatchling is not installed here.
    """Require at least the tested versions. The extra `pinned` requires exactly these."""

    def update(self, metadata: dict[str, Any]) -> None:
        pins = read("requirements.txt")
        metadata["dependencies"] = tested("requirements.in", pins)
        metadata["optional-dependencies"] = {
            "metrics": tested("requirements-metrics.in", pins),
            "neural": tested("requirements-neural.in", pins),
            "s3": tested("requirements-s3.in", pins),
            "pinned": pins,
        }
        if repository := os.environ.get("REPOSITORY_URL"):
            metadata["urls"] = {
                "Source": repository,
                "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md",
                "Issues": f"{repository}/issues",
            }


class Commit(BuildHookInterface):  # type: ignore[misc]
    """Write the commit of a checkout to `config/commit.txt`. A source distribution has the file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not (ROOT / ".git").exists():
            return
        command = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
        commit = subprocess.check_output(command, text=True)  # noqa: S603
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write(commit)
        below = "reviewstead/service/" if self.target_name == "wheel" else ""
        build_data["force_include"][file.name] = f"{below}config/commit.txt"
        self.written = Path(file.name)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "written"):
            self.written.unlink()


def read(name: str) -> list[str]:
    """Return the requirements of a file, without comments and hashes."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    found = [line.partition("#")[0].strip().removesuffix("\\").strip() for line in lines]
    return [line for line in found if line and not line.startswith("-")]


def tested(name: str, pins: list[str]) -> list[str]:
    """Return the requirements of a file, with the pinned version as the minimum."""
    versions = dict(re.match(r"([\w.-]+)[^=]*==([^ ;]+)", pin).groups() for pin in pins)  # type: ignore[union-attr, misc]
    return [
        f"{line}>={versions[plain]}"
        if re.fullmatch(r"[\w.-]+", line) and (plain := line.lower()) in versions
        else line
        for line in read(name)
    ]
