"""Commands, files and settings that the guides name exist."""

import re

import pytest
from django.core.management import get_commands

from tests.deploy.files import ROOT, explained_settings

GUIDES = [
    *sorted({*ROOT.glob("*.md")} - {ROOT / "CHANGELOG.md"}),  # It also names removed settings.
    *sorted(ROOT.glob("docs/**/*.md")),
    ROOT / "tools/benchmarks/README.md",
]
OPERATIONS = "".join(
    (ROOT / f"docs/{name}.md").read_text()
    for name in ("install", "upgrade", "backup", "scaling", "sign_in", "troubleshooting")
)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_named_commands_exist(guide):
    named = set(re.findall(r"manage\.py ([a-z_]+)", guide.read_text()))

    assert named <= set(get_commands())


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_named_files_exist(guide):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", guide.read_text())

    assert [link for link in links if not (guide.parent / link).exists()] == []


def test_named_settings_exist():
    named = set(re.findall(r"`([A-Z][A-Z0-9]*_[A-Z0-9_]+)", OPERATIONS))
    of_compose = {"COMPOSE_PROJECT_NAME", "COMPOSE_PROFILES"}

    assert len(named) > 20
    assert named <= explained_settings() | of_compose


def test_own_warnings_are_explained():
    ours = set(re.findall(r'"(websub\.W\d+)"', (ROOT / "websub/checks.py").read_text()))
    numbers = re.findall(r"_warning\((\d+),", (ROOT / "config/checks.py").read_text())
    ours |= {f"reviews.W{int(number):03}" for number in numbers}

    assert ours == set(re.findall(r"\| `((?:reviews|websub)\.W\d+)` \|", OPERATIONS))
