"""Packages of all libraries: metadata, types, page on PyPI, reproducible bytes."""

import os
import re
import tarfile
import zipfile
from email.parser import Parser

import pytest

from tools import wheels

pytestmark = pytest.mark.standalone

# Tests of the other libraries check types in their projects.
TYPED = {
    "publishing": """
import datetime as dt
from publishing.models import Document, Revision
from publishing.registry import JSON, DocumentSpec, registry

def build(changed_at: dt.datetime) -> bytes:
    return b"[]"

registry.register(
    DocumentSpec(path="/notes.json", media_type=JSON, build=build, revision="notes", name="notes",
                 title="All notes")
)
Revision.raise_("notes")
body: bytes = Document.objects.get(path="/notes.json").identity
""",
    "review_analysis_neural": """
from pathlib import Path
from review_analysis import Analyser
from review_analysis_neural import NeuralModel
analyser = Analyser({"aspects": []}, [], NeuralModel.load(Path("weights.npz")))
score: float = analyser.read("A quiet room.", 5).score
""",
    "websub": """
import websub
from websub.subscriber.services import subscribe
from websub.topics import Topic

class Feed:
    url = "https://blog.example/feed.xml"
    media_type = "application/atom+xml"

    def version(self) -> int:
        return 1

    def content(self) -> tuple[int, bytes]:
        return 1, b"<feed/>"

def topics() -> list[Topic]:
    return [Feed()]

websub.notify(Feed.url)
followed: str = str(subscribe(Feed.url))
""",
}
OURS = {"websub": ("guarded_http",), "review_analysis_neural": ("review_analysis",)}
DJANGO = ("publishing", "websub")


@pytest.mark.parametrize("name", TYPED)
def test_strict_types_of_installed_library(name, installed):
    stubs = ["django-stubs~=5.2"] if name in DJANGO else []
    project = installed(name, *stubs, with_ours=OURS.get(name, ()))
    project.write("typed.py", TYPED[name])

    assert "no issues found" in project.mypy("typed.py")


@pytest.mark.parametrize("name", wheels.libraries())
def test_metadata_licence_and_page_of_package(name, built):
    with zipfile.ZipFile(built[name]) as archive:
        inside = {each.partition("/")[2]: each for each in archive.namelist()}
        metadata = Parser().parsestr(archive.read(inside["METADATA"]).decode())
        licence = archive.read(inside["licenses/LICENSE"]).decode()
    page = wheels.run_tool("readme_renderer", str(wheels.ROOT / name / "README.md"))

    assert metadata["Version"] == "1.0.0"
    assert metadata["License-Expression"].startswith("MIT")
    assert metadata["Author"] in licence
    assert "Typing :: Typed" in metadata.get_all("Classifier")
    assert "py.typed" in inside
    assert not {"README.md", "CHANGELOG.md", "pyproject.toml"} & set(inside)
    assert f"pip install {wheels.distribution(name)}" in page
    assert re.findall(r'(?:href|src)="(?!https://|#)[^"]*', page) == []


def test_packages_are_reproducible(built, tmp_path):
    folder = next(iter(built.values())).parent
    mask = os.umask(0o077)
    try:
        wheels.build(wheels.libraries(), tmp_path)
    finally:
        os.umask(mask)

    packages = sorted(path.name for path in folder.iterdir())
    assert len(packages) == 2 * len(built)
    assert packages == sorted(path.name for path in tmp_path.iterdir())
    for package in packages:
        assert (tmp_path / package).read_bytes() == (folder / package).read_bytes(), package


def test_repository_of_release_is_linked(monkeypatch, tmp_path):
    monkeypatch.setenv("REPOSITORY_URL", "https://code.example/reviews")
    wheels.build(["websub"], tmp_path)

    with tarfile.open(tmp_path / "django_websub_hub-1.0.0.tar.gz") as archive:
        file = archive.extractfile("django_websub_hub-1.0.0/PKG-INFO")
        urls = Parser().parsestr(file.read().decode()).get_all("Project-URL")
    assert urls == [
        "Source, https://code.example/reviews/tree/HEAD/websub",
        "Changelog, https://code.example/reviews/blob/HEAD/websub/CHANGELOG.md",
        "Issues, https://code.example/reviews/issues",
    ]
