"""Pins of packages, images and workflow actions."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from reviews import VERSION
from tests.deploy.files import ROOT, compose, instructions

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PINNED_IMAGE = re.compile(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}")
PINNED_ACTION = re.compile(r"[\w-]+/[\w-]+(/[\w-]+)?@[0-9a-f]{40}  # v\d+(\.\d+)*")


def load(path):
    return yaml.safe_load(path.read_text())


def images():
    found = [rest.split()[0] for name, rest in instructions() if name == "FROM"]
    services = list(compose()["services"].values())
    for path in WORKFLOWS:
        for job in load(path)["jobs"].values():
            services += job.get("services", {}).values()
    found += [service["image"] for service in services]
    return [image for image in found if not image.startswith("reviews:")]


def test_third_party_images_have_digest():
    assert len(images()) >= 7
    for image in images():
        assert PINNED_IMAGE.fullmatch(image), image


def test_image_digests_agree():
    digests = {}
    for image in images():
        name, _, digest = image.partition("@")
        assert digests.setdefault(name, digest) == digest, name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_commit_with_version(path):
    used = re.findall(r"(?m)^\s*(?:- )?uses: (.+)$", path.read_text())

    assert used
    for action in used:
        assert PINNED_ACTION.fullmatch(action), action


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_give_pull_requests_no_rights(path):
    text = path.read_text()

    assert "pull_request_target" not in text
    assert "secrets." not in text
    assert load(path)["permissions"] in ({}, {"contents": "read"})
    for job in load(path)["jobs"].values():
        for step in job["steps"]:
            # An expression in a script would be executed as code.
            assert "${{" not in step.get("run", "")
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"] == {"persist-credentials": False}


@pytest.mark.slow
def test_bill_of_materials_lists_pins_with_hashes(tmp_path):
    for name in ("Makefile", "pyproject.toml", "requirements.txt", "requirements-metrics.txt"):
        shutil.copy(ROOT / name, tmp_path)
    # The tool validates the file against the CycloneDX schema before writing it.
    command = ["make", "-o", "install", "sbom", f"BIN={Path(sys.executable).parent}"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=240)

    bill = json.loads((tmp_path / "dist/sbom.cdx.json").read_text())
    pins = {
        pin
        for name in ("requirements.txt", "requirements-metrics.txt")
        for pin in re.findall(r"(?m)^([\w.-]+)(?:\[.+\])?==([^\s;]+)", (ROOT / name).read_text())
    }
    component = bill["metadata"]["component"]["name"]
    assert (bill["bomFormat"], component) == ("CycloneDX", "reviewstead")
    assert {(part["name"], part["version"]) for part in bill["components"]} == pins
    for part in bill["components"]:
        assert part["externalReferences"][0]["hashes"], part["name"]


def test_package_has_every_code_folder():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    code = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "tools"}

    assert set(build["only-include"]) == code
    assert build["targets"]["wheel"]["sources"] == {
        name: f"reviewstead/service/{name}" for name in code - {"reviewstead"}
    }


def test_files_name_version_of_code():
    named = {
        "pyproject.toml": r'^version = "(.+)"$',
        "Dockerfile": r"^ARG VERSION=(.+)$",
        "docker-compose.yml": r"\$\{VERSION:-(.+?)\}",
        ".env.example": r"^#VERSION=(.+)$",
        "CHANGELOG.md": r"\A(?s:.*?)^## ([\d.]+)",
    }
    for file, pattern in named.items():
        found = set(re.findall(pattern, (ROOT / file).read_text(), re.MULTILINE))
        assert found == {VERSION}, file
