"""The documentation site, built as `make docs` builds it."""

import json
import re
import subprocess

import pytest

from tests.processes import ROOT
from tools import wheels

pytestmark = pytest.mark.standalone


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site; a broken link would have ended the build."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(["make", "--silent", "docs", f"SITE={folder}"], cwd=ROOT, check=True)
    return folder


def test_pages_load_nothing_from_other_places(site):
    pages = sorted(site.rglob("*.html"))

    assert len(pages) > 60
    for page in pages:
        loaded = re.findall(
            r"<(?:script|img|iframe|link rel=.stylesheet.)[^>]*(?:src|href)=\"([^\"]+)",
            page.read_text(),
        )
        assert [address for address in loaded if "//" in address] == [], page


def test_every_guide_is_in_the_navigation(site):
    navigation = (site / "docs/index.html").read_text()

    for guide in ROOT.glob("docs/*.md"):
        assert f'href="{guide.stem}.html"' in navigation or guide.stem == "index", guide.name


def test_reference_has_the_names_of_every_library(site):
    for name in wheels.libraries():
        page = (site / f"docs/reference/{name}.html").read_text()
        assert len(re.findall(r'<dt class="sig sig-object py" id="[^"]+"', page)) > 2, name


def test_search_finds_words_of_the_guides(site):
    index = (site / "searchindex.js").read_text().removeprefix("Search.setIndex(").rstrip(")")
    found = json.loads(index)

    documents = [found["docnames"][number] for number in _listed(found["titleterms"]["wordpress"])]
    assert documents == ["docs/recipes/wordpress"]


def test_broken_link_ends_the_build(tmp_path):
    (tmp_path / "conf.py").write_text('extensions = ["myst_parser"]\n')
    (tmp_path / "index.md").write_text("# Guide\n\n[Gone](gone.md)\n")
    recipe = re.search(r"sphinx (.+?) --fresh-env", (ROOT / "Makefile").read_text())[1]
    python = str(ROOT / ".venv-docs" / "bin" / "python")
    command = [python, "-m", "sphinx", *recipe.split(), str(tmp_path), str(tmp_path / "site")]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode != 0
    assert "gone.md" in done.stderr


def _listed(numbers):
    return numbers if isinstance(numbers, list) else [numbers]
