"""Dependencies of the distribution `reviewstead`, from the pinned files, and its commit."""

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
    """At least what was tested; the extra `pinned` asks for exactly that."""

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
    """Name the commit of a checkout in `config/commit.txt`, which a source distribution has."""

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
    """The requirements of a file, without comments and hashes."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    found = [line.partition("#")[0].strip().removesuffix("\\").strip() for line in lines]
    return [line for line in found if line and not line.startswith("-")]


def tested(name: str, pins: list[str]) -> list[str]:
    """The requirements of a file; one without a version is at least the one that is pinned."""
    versions = dict(re.match(r"([\w.-]+)[^=]*==([^ ;]+)", pin).groups() for pin in pins)  # type: ignore[union-attr, misc]
    return [
        f"{line}>={versions[plain]}"
        if re.fullmatch(r"[\w.-]+", line) and (plain := line.lower()) in versions
        else line
        for line in read(name)
    ]
