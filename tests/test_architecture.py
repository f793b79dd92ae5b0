"""docs/architecture.md names modules, files and folders that exist."""

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
WALK = PAGE.partition("## One review")[2].partition("\n## ")[0]
STOPS = sorted(set(re.findall(r"`(\w+(?:\.\w+)+)`", WALK)))
FOLDERS = re.findall(r"^\| `(\w+)/` \|", PAGE.partition("## Layout")[2], re.MULTILINE)


@pytest.mark.parametrize("name", STOPS)
def test_names_in_walkthrough_can_be_imported(name):
    path, _, attribute = name.rpartition(".")
    module = import_module(path)

    assert hasattr(module, attribute) or import_module(name)


def test_named_files_exist():
    files = set(re.findall(r"`((?:\w+/)*(?!__)\w+\.py)`", PAGE))

    assert len(files) > 20
    assert {name for name in files if not (ROOT / name).exists()} == set()


def test_layout_names_every_package():
    code = {path.parent.name for path in ROOT.glob("*/__init__.py")}

    assert code <= set(FOLDERS)
