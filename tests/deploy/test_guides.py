"""Commands, files and settings that the guides name exist."""

import re

import pytest
from django.core.management import get_commands

from tests.deploy.files import ROOT, explained_settings

GUIDES = [
    *sorted(ROOT.glob("*.md")),
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


def test_every_page_has_its_place_in_the_navigation():
    index = (ROOT / "docs/index.md").read_text().splitlines()
    pages = [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/recipes/*.md")]
    names = {page.relative_to(ROOT / "docs").with_suffix("").as_posix() for page in pages}

    assert names - {"index"} - set(index) == set()


def test_headings_that_are_linked_to_exist():
    linked = {
        ((guide.parent / path).resolve() if path else guide, anchor)
        for guide in GUIDES
        for path, anchor in re.findall(r"\]\(([\w./-]*)#([\w-]+)\)", guide.read_text())
    }

    assert linked
    assert [
        f"{guide.name}#{anchor}" for guide, anchor in linked if anchor not in _anchors(guide)
    ] == []


def _anchors(guide):
    headings = re.findall(r"(?m)^#+ (.+)$", guide.read_text())
    return {re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_named_settings_exist():
    named = set(re.findall(r"`([A-Z][A-Z0-9]*_[A-Z0-9_]+)", OPERATIONS))
    of_compose = {"COMPOSE_PROJECT_NAME", "COMPOSE_PROFILES"}

    assert len(named) > 20
    assert named <= explained_settings() | of_compose


def test_every_warning_of_ours_is_explained():
    checks = (ROOT / "config/checks.py").read_text() + (ROOT / "websub/checks.py").read_text()
    ours = set(re.findall(r'id="((?:reviews|websub)\.W\d+)"', checks))

    assert ours == set(re.findall(r"\| `((?:reviews|websub)\.W\d+)` \|", OPERATIONS))


def test_changelog_keeps_its_form():
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()

    entries = [line for line in lines if line.startswith("- ")]
    assert entries
    assert [line for line in lines if len(line) > 100] == []
    assert [line for line in entries if not re.match(r"- (Add|Change|Fix|Remove) ", line)] == []
    assert {line for line in lines if line.startswith("### ")} <= {
        "### Added",
        "### Changed",
        "### Fixed",
        "### Removed",
    }


def test_index_of_decisions_is_whole():
    folder = ROOT / "docs/decisions"
    index = (folder / "README.md").read_text()

    listed = re.findall(r"(?m)^\| \[(\d+)\]\(([\w.-]+)\) \|", index)
    assert [name for _, name in listed] == sorted(path.name for path in folder.glob("0*.md"))
    for number, name in listed:
        assert (folder / name).read_text().startswith(f"# {number}. ")
