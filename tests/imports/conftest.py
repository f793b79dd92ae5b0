from pathlib import Path

import pytest

from tests.imports.command import GOOD


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "reviews.csv"
    path.write_text(GOOD)
    return path
