"""A script that reads three exports, and the command line, with the library alone."""

import json
import re

import pytest

from tests.review_exports.exports import workbook
from tools.wheels import ROOT

pytestmark = pytest.mark.standalone

TABLE = "Date,Name,Rating,Comment\n2024-01-02,Ann,5,Good\n2024-01-03,Ben,4.5,Fine\n"
TRUSTPILOT = {
    "reviews": [
        {
            "id": "t1",
            "stars": 4,
            "consumer": {"displayName": "Carla"},
            "title": "Quick",
            "text": "They came at once.",
            "createdAt": "2024-02-01T23:30:00Z",
            "companyReply": {"text": "Thank you!", "createdAt": "2024-02-02T08:00:00Z"},
        }
    ]
}
SHEET = [["Date", "Name", "Rating", "Comment"], ["2024-03-04", "Dan", "2/5", "Late"]]
SCRIPT = """
import json, sys
from zoneinfo import ZoneInfo
from review_exports import ReadOptions, Record, read

options = ReadOptions(time_zone=ZoneInfo("Europe/Berlin"), accept=True)
for name in sys.argv[1:]:
    export = read(name, options)
    rows = [*export]
    records = [row for row in rows if isinstance(row, Record)]
    found = [[r.author, r.rating, str(r.date), r.text, r.reply_text] for r in records]
    print(json.dumps([export.format, found, len(rows) - len(records)]))
"""


def test_script_and_command_read_exports(installed):
    project = installed("review_exports")
    project.write("reviews.csv", TABLE)
    project.write("trustpilot.json", json.dumps(TRUSTPILOT))
    (project.folder / "reviews.xlsx").write_bytes(workbook(SHEET))
    project.write("exports.py", SCRIPT)
    readme = (ROOT / "review_exports" / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", readme, re.MULTILINE)
    project.write("readme.py", "\n".join(examples))

    printed = project.run("exports.py", "reviews.csv", "trustpilot.json", "reviews.xlsx")
    _, line, _ = project.run("-m", "review_exports", "trustpilot.json").splitlines()
    table = project.run("-m", "review_exports", "trustpilot.json", "--csv")
    project.run("readme.py")
    project.mypy("readme.py", "exports.py")

    assert [json.loads(line) for line in printed.splitlines()] == [
        ["generic", [["Ann", 5, "2024-01-02", "Good", ""]], 1],
        [
            "trustpilot_api",
            [["Carla", 4, "2024-02-02", "Quick\n\nThey came at once.", "Thank you!"]],
            0,
        ],
        ["generic", [["Dan", 2, "2024-03-04", "Late", ""]], 0],
    ]
    assert (
        json.loads(line).items()
        >= {
            "type": "record",
            "external_id": "t1",
            "source": "trustpilot",
        }.items()
    )
    assert "Carla,4,2024-02-01" in table
