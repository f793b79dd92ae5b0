"""The documentation site, as `make docs` builds it."""

import re
import subprocess

import pytest

from tests.processes import ROOT
from tools import wheels

pytestmark = pytest.mark.standalone


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return the folder of the site. Broken links fail the build."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(["make", "--silent", "docs", f"SITE={folder}"], cwd=ROOT, check=True)
    return folder


def test_pages_load_nothing_from_other_hosts(site):
    pages = sorted(site.rglob("*.html"))

    assert len(pages) > 60
    for page in pages:
        loaded = re.findall(
            r"<(?:script|img|iframe|link rel=.stylesheet.)[^>]*(?:src|href)=\"([^\"]+)",
            page.read_text(),
        )
        assert [address for address in loaded if "//" in address] == [], page


def test_guides_are_in_navigation(site):
    navigation = (site / "docs/index.html").read_text()

    for guide in ROOT.glob("docs/*.md"):
        assert f'href="{guide.stem}.html"' in navigation or guide.stem == "index", guide.name


def test_reference_has_names_of_every_library(site):
    for name in wheels.libraries():
        page = (site / f"docs/reference/{name}.html").read_text()
        assert len(re.findall(r'<dt class="sig sig-object py" id="[^"]+"', page)) > 2, name
