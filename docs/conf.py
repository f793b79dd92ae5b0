"""Sphinx's configuration of the documentation site (`make docs`).

The project's folder is the source, so that links lead from page to page as in the repository; a
link to a file that is no page lets the reader download it.
"""

import sys
from pathlib import Path

import django
from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

# The settings without which the libraries cannot be imported; nothing connects.
settings.configure(
    SECRET_KEY="unused",  # noqa: S106
    INSTALLED_APPS=[
        "django.contrib.contenttypes",
        "mcp_server",
        "publishing",
        "websub",
        "websub.subscriber",
    ],
)
django.setup()

project = "Reviewstead"
copyright = "The Reviews authors, MIT licence"  # noqa: A001
extensions = ["myst_parser", "sphinx.ext.autodoc"]
include_patterns = [
    "*.md",
    "docs/*.md",
    "docs/*/*.md",
    "examples/*/README.md",
    "*/README.md",
    "tools/benchmarks/README.md",
]
exclude_patterns = [".*", "reviewstead/README.md"]  # The latter is the page on PyPI.
root_doc = "docs/index"

myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # A page may begin with a heading of the second level.
default_role = "code"  # Docstrings write `names` as Markdown does.
autodoc_mock_imports = ["numpy", "onnx", "onnxruntime", "threadpoolctl"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {"members": True, "show-inheritance": True}
add_module_names = False

html_theme = "furo"
html_title = "Reviewstead"
html_extra_path = ["site"]
html_copy_source = html_show_sourcelink = False
