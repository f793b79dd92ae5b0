"""Examples of the README with their output."""

import csv
import doctest
import io
import re
from pathlib import Path

import review_exports
from review_exports.__main__ import main
from review_exports.options import ReadOptions

README = (Path(review_exports.__file__).parent / "README.md").read_text()
SURVEY = "When,Stars,Customer,Words\n04.05.2024,5,Ann H.,Great crew\n"


def test_examples_print_output_of_readme():
    source = "\n".join(re.findall(r"```pycon\n(.*?)```", README, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(source, {}, "README", "README.md", 0)
    output: list[str] = []

    failures, count = doctest.DocTestRunner().run(test, out=output.append)

    assert not failures, "".join(output)
    assert count > 10


def test_command_prints_columns_of_readme(tmp_path, capsys):
    file = tmp_path / "reviews.csv"
    file.write_text(SURVEY)

    assert main([str(file), "--csv", "--accept", "--map", "Words=text"]) == 0

    printed = capsys.readouterr().out.splitlines()
    assert all(line in README for line in printed)
    assert len([*csv.DictReader(io.StringIO("\n".join(printed)))]) == 1


def test_reference_has_every_option():
    options = set(ReadOptions.__dataclass_fields__)

    assert {name for name in options if f"`{name}`" not in README} == set()
