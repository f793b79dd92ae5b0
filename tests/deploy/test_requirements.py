"""The pinned requirements: complete for every pip, extras included."""

from importlib.metadata import PackageNotFoundError, requires, version

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deploy.files import ROOT

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
