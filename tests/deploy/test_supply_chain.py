"""Pins of what others made: packages, images and the actions of workflows."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from reviews import VERSION
from tests.deploy.files import ROOT, compose, instructions

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PINNED_IMAGE = re.compile(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}")
PINNED_ACTION = re.compile(r"[\w-]+/[\w-]+(/[\w-]+)?@[0-9a-f]{40}  # v\d+(\.\d+)*")
# Permissions of a job beyond reading the code; the reason stands beside each.
GRANTED = {
    "ci": [{"contents": "read"}],
    "audit": [{"contents": "read"}],
    "codeql": [{"contents": "read"}, {"contents": "read", "security-events": "write"}],
    "release": [
        {},
        {"contents": "read"},
        {"contents": "write", "id-token": "write"},
        {"contents": "read", "id-token": "write"},
        {"contents": "read", "packages": "write"},
        {"contents": "read", "packages": "write", "id-token": "write"},
    ],
}


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


def test_images_of_others_have_a_digest():
    assert len(images()) >= 7
    for image in images():
        assert PINNED_IMAGE.fullmatch(image), image


def test_an_image_has_the_same_digest_everywhere():
    digests = {}
    for image in images():
        name, _, digest = image.partition("@")
        assert digests.setdefault(name, digest) == digest, name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_commit_with_their_version(path):
    used = re.findall(r"(?m)^\s*(?:- )?uses: (.+)$", path.read_text())

    assert used
    for action in used:
        assert PINNED_ACTION.fullmatch(action), action


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_may_do_what_they_need_and_no_more(path):
    workflow = load(path)
    jobs = workflow["jobs"].values()
    granted = [workflow["permissions"]]
    granted += [job["permissions"] for job in jobs if "permissions" in job]

    assert granted == GRANTED[path.stem]
    assert all(job["timeout-minutes"] <= 120 for job in jobs)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_give_code_of_pull_requests_no_rights(path):
    text = path.read_text()

    assert "pull_request_target" not in text
    assert "secrets." not in text
    for job in load(path)["jobs"].values():
        for step in job["steps"]:
            # An expression in a script would be run as part of it.
            assert "${{" not in step.get("run", "")
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"] == {"persist-credentials": False}


@pytest.mark.slow
def test_bill_of_materials_lists_every_pin_with_its_hashes(tmp_path):
    for name in ("Makefile", "pyproject.toml", "requirements.txt", "requirements-metrics.txt"):
        shutil.copy(ROOT / name, tmp_path)
    # The tool compares the file with the schema of CycloneDX before it writes it.
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


FILES = sorted(path.name for path in ROOT.glob("requirements*.txt"))


def pinned(file):
    """Each package of a compiled file, by its name."""
    lines = (ROOT / file).read_text().splitlines()
    found = [
        Requirement(line.removesuffix("\\").strip())
        for line in lines
        if "==" in line and not line.startswith((" ", "#"))
    ]
    return {canonicalize_name(requirement.name): requirement for requirement in found}


def requirements_of(pin):
    """The requirements of a distribution with the extras that the file pins."""
    try:
        if not pin.specifier.contains(version(pin.name)):
            return []  # It is for an environment of its own.
        texts = requires(pin.name) or []
    except PackageNotFoundError:  # It is for another system or Python.
        return []
    environments = [{"extra": extra} for extra in ("", *pin.extras)]
    return [
        requirement
        for requirement in map(Requirement, texts)
        if requirement.marker is None
        or any(requirement.marker.evaluate(environment) for environment in environments)
    ]


@pytest.mark.parametrize("file", FILES)
def test_every_extra_of_an_installed_distribution_is_pinned(file):
    """Else a pip before 23.1 takes the newest version for it, which no hash covers."""
    pins = pinned(file)
    missing = {
        f"{pin.name} asks for {requirement}"
        for pin in pins.values()
        for requirement in requirements_of(pin)
        if requirement.extras - pins[canonicalize_name(requirement.name)].extras
    }
    assert missing == set()


@pytest.mark.parametrize("file", FILES)
def test_every_extra_of_the_sources_is_pinned(file):
    requirements = [
        Requirement(line.partition("#")[0].strip())
        for line in (ROOT / file.replace(".txt", ".in")).read_text().splitlines()
        if line.partition("#")[0].strip() and not line.startswith("-")
    ]
    pins = pinned(file)
    assert requirements
    for requirement in requirements:
        assert requirement.extras <= pins[canonicalize_name(requirement.name)].extras


def test_package_has_every_folder_of_code():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    code = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "tools"}

    assert set(build["only-include"]) == code
    assert build["targets"]["wheel"]["sources"] == {
        name: f"reviewstead/service/{name}" for name in code - {"reviewstead"}
    }


def test_badges_say_what_the_package_says():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    said = re.search('aria-label="(.+?)"', (ROOT / "docs/images/badges.svg").read_text())[1]
    versions = {
        name: [line.rpartition(" ")[2] for line in project["classifiers"] if f"{name} :: " in line]
        for name in ("Python", "Django")
    }
    pythons = sorted(versions["Python"], key=lambda each: [*map(int, each.split("."))])[1:]

    assert said == (
        f"Licence {project['license'].split()[0]}, Python {pythons[0]} to {pythons[-1]}, "
        f"Django {' and '.join(versions['Django'])}"
    )


def test_every_file_names_the_version_of_the_code():
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
