"""A release has one number, wherever it is written."""

import re

from reviews import VERSION
from tests.deploy.files import ROOT


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
