"""The walk through OWASP's ASVS 5.0.0 in docs/security.md is whole, and names what exists."""

import ast
import re
from collections import Counter

import pytest

from tests.deploy.files import ROOT

PAGE = (ROOT / "docs/security.md").read_text()
ROW = re.compile(r"(?m)^\| (\d+\.\d+\.\d+) \| ([12]) \| ([^|]+) \| ([^|]+) \| (.+) \|$")
ROWS = [match.groups() for match in ROW.finditer(PAGE)]

# The requirements of levels 1 and 2, by section.
REQUIREMENTS = """
1.1: 1-2; 1.2: 1-9; 1.3: 1-11; 1.4: 1-3; 1.5: 1-2; 2.1: 1-3; 2.2: 1-3; 2.3: 1-4; 2.4: 1; 3.2: 1-2;
3.3: 1-4; 3.4: 1-6; 3.5: 1-5; 3.7: 1-2; 4.1: 1-3; 4.2: 1; 4.3: 1-2; 4.4: 1-4; 5.1: 1; 5.2: 1-3;
5.3: 1-2; 5.4: 1-3; 6.1: 1-3; 6.2: 1-12; 6.3: 1-4; 6.4: 1-4; 6.5: 1-5; 6.6: 1-3; 6.8: 1-4; 7.1:
1-3; 7.2: 1-4; 7.3: 1-2; 7.4: 1-5; 7.5: 1-2; 7.6: 1-2; 8.1: 1-2; 8.2: 1-3; 8.3: 1; 8.4: 1; 9.1:
1-3; 9.2: 1-4; 10.1: 1-2; 10.2: 1-2; 10.3: 1-4; 10.4: 1-11; 10.5: 1-5; 10.6: 1-2; 10.7: 1-3; 11.1:
1-2; 11.2: 1-3; 11.3: 1-3; 11.4: 1-4; 11.5: 1; 11.6: 1; 12.1: 1-3; 12.2: 1-2; 12.3: 1-4; 13.1: 1;
13.2: 1-5; 13.3: 1-2; 13.4: 1-5; 14.1: 1-2; 14.2: 1-4; 14.3: 1-3; 15.1: 1-3; 15.2: 1-3; 15.3: 1-7;
16.1: 1; 16.2: 1-5; 16.3: 1-4; 16.4: 1-3; 16.5: 1-3; 17.1: 1; 17.2: 1-4; 17.3: 1-2
"""


def required():
    found = []
    for section, numbers in re.findall(r"(\d+\.\d+):\s+([\d,\s-]+)", REQUIREMENTS):
        for part in numbers.split(","):
            first, _, last = part.strip().partition("-")
            found += [f"{section}.{n}" for n in range(int(first), int(last or first) + 1)]
    return found


def test_every_requirement_has_one_row_in_its_order():
    assert [number for number, *_ in ROWS] == required()
    assert len(ROWS) == 253


def test_states_are_counted():
    counted = Counter(state for _, _, _, state, _ in ROWS)

    assert counted.keys() == {"met", "partly", "open", "not applicable"}
    [line] = re.findall(r"(?m)^\d+ requirements: .*$", PAGE)
    assert line.startswith(
        f"{len(ROWS)} requirements: {counted['met']} met, {counted['partly']} partly, "
        f"{counted['open']} open, {counted['not applicable']} not applicable."
    )


@pytest.mark.parametrize(("path", "name"), sorted(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
def test_test_that_a_row_names_exists(path, name):
    tree = ast.parse((ROOT / path).read_text())

    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_files_that_rows_name_exist():
    named = re.findall(r"`((?:[\w-]+/|\.)[\w./-]*\w)`", "".join(how for *_, how in ROWS))

    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []
