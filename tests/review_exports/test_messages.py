import re
import tomllib
from pathlib import Path

import review_exports

PACKAGE = Path(review_exports.__file__).parent
TABLES = {
    "file_refused": "refusals",
    "value_refused": "values",
    "warning": "warnings",
    "broken_row": "rows",
    "skipped": "skipped",
    "RowSkipped": "skipped",
}
MESSAGES = tomllib.loads((PACKAGE / "vocabulary/messages.toml").read_text())


def test_keys_in_code_have_messages():
    calls = [
        call
        for path in PACKAGE.rglob("*.py")
        for call in re.findall(r'\b(\w+)\(\s*"([\w-]+)"', path.read_text())
        if call[0] in TABLES
    ]

    assert calls
    assert [call for call in calls if call[1] not in MESSAGES[TABLES[call[0]]]] == []
