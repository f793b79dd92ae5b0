"""Messages that the administration may show name no option of a command."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OPTION = re.compile(r"(?<![\w<!-])--[a-z]")
FOLDERS = ("review_exports", "imports", "reviews/admin", "reviews/models")
# Of the command of the library, with its options and their remedies.
COMMAND = {"__main__.py", "arguments.py", "reader_process.py", "import_reviews.py"}
MODULES = sorted(
    path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py") if path.name not in COMMAND
)
TEMPLATES = sorted((ROOT / "imports").rglob("templates/**/*.html"))


def texts(path):
    """The texts of a module without its docstrings."""
    tree = ast.parse(path.read_text())
    docstrings = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and ast.get_docstring(node) is not None
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings
    ]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_module_names_no_option(path):
    assert not [text for text in texts(path) if OPTION.search(text)]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_page_names_no_option(path):
    assert not re.search(r"(?:^|[\s>`])--[a-z]", path.read_text())
