"""Export files that were once misread, refused, or refused without a remedy.

Each file has an `<file>.expected.json` beside it: `arguments` of the command, `after` (the file
that is imported before it), `records`, the reviews that are public afterwards (unnamed fields may
have any value), and `says`, texts that the report or the error contains.
"""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from reviews.models import Review
from tests.factories import make_business

CASES = Path(__file__).parent / "cases"
EXPECTED = ".expected.json"
NAMES = sorted(path.name.removesuffix(EXPECTED) for path in CASES.glob(f"*{EXPECTED}"))


def expectation(name: str) -> dict[str, Any]:
    return json.loads((CASES / f"{name}{EXPECTED}").read_text())


def import_case(name: str) -> dict[str, Any]:
    """Return the command's report as JSON. An error has the key `error`."""
    out = io.StringIO()
    arguments = [*expectation(name).get("arguments", []), "--accept", "--json"]
    try:
        call_command("import_reviews", CASES / name, *arguments, stdout=out)
    except CommandError as error:
        return {**json.loads(out.getvalue() or "{}"), "error": str(error)}
    return json.loads(out.getvalue())


def public_reviews() -> list[dict[str, Any]]:
    fragments = Review.objects.visible().newest_first().values_list("fragment", flat=True)
    return [json.loads(fragment) for fragment in fragments]


def sorted_by_author(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(records, key=lambda record: (record["author"], record["date"], str(record)))


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMES)
def test_case_gives_expected_reviews_and_second_import_changes_nothing(name):
    make_business(time_zone="UTC")
    expected = expectation(name)
    if "after" in expected:
        import_case(expected["after"])

    report = import_case(name)

    printed = json.dumps(report, ensure_ascii=False)
    for text in expected.get("says", []):
        assert text in printed
    public = public_reviews()
    if "records" in expected:
        records = expected["records"]
        compared = [
            {key: review[key] for key in record}
            for record, review in zip(
                sorted_by_author(records), sorted_by_author(public), strict=False
            )
        ]
        assert compared == sorted_by_author(records)
        assert len(public) == len(records)
    again = import_case(name)
    assert again.get("new", 0) == 0
    assert again.get("changed", 0) == 0
    assert public_reviews() == public
