"""`python -m review_analysis`: three input formats, JSON Lines, and explained errors."""

import io
import json

import pytest

from review_analysis.__main__ import main


@pytest.fixture
def analysed(tmp_path, capsys):
    """Return exit code, objects and errors of the command for a file with this content."""

    def run(content, *arguments):
        file = tmp_path / "reviews"
        file.write_text(content, encoding="utf-8")
        code = main([str(file), *arguments])
        captured = capsys.readouterr()
        return code, [json.loads(line) for line in captured.out.splitlines()], captured.err

    return run


@pytest.mark.parametrize(
    "content",
    [
        '[{"id": "a", "text": "Very kind.", "rating": 5}, {"text": "Too late.", "rating": null}]',
        '{"id": "a", "text": "Very kind.", "rating": 5}\n\n{"text": "Too late."}\n',
    ],
)
def test_json_reviews_keep_their_ids(analysed, content):
    code, found, _ = analysed(content)

    assert code == 0
    assert [each.get("id") for each in found] == ["a", None]
    assert [each["sentiment"]["label"] for each in found] == ["positive", "negative"]


def test_plain_lines_are_one_review_each(analysed):
    _, found, _ = analysed("Very kind.\n\nToo late.\n")
    assert [each["sentiment"]["label"] for each in found] == ["positive", "negative"]


def test_standard_input_is_read(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"Very kind.")))
    assert main(["-"]) == 0
    assert json.loads(capsys.readouterr().out)["sentiment"]["label"] == "positive"


def test_roster_names_people(analysed, tmp_path):
    roster = tmp_path / "roster.json"
    roster.write_text('[{"id": "ana", "name": "Ana Diaz"}]')
    _, found, _ = analysed("Ana Diaz helped us.", "--roster", str(roster))
    assert [entity["id"] for entity in found[0]["entities"]] == ["ana"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[1]", 'Review 1 must be a text or an object with "text".'),
        ('{"text": 5}', 'Line 1: "text" must be a text or null.'),
        ('{"text": "a"}\n{"text": "b", "rating": "5"}', "Line 2: rating must be a number"),
        ("[{", "is not JSON"),
        ('{"text": ', "Line 1 is not JSON"),
    ],
)
def test_unusable_content_is_refused_with_place(analysed, content, sentence):
    code, _, said = analysed(content)
    assert code == 2
    assert sentence in said


def test_unusable_taxonomy_is_refused(analysed, tmp_path):
    taxonomy = tmp_path / "taxonomy.json"
    taxonomy.write_text('{"id": "x"}')
    code, _, said = analysed("Fine.", "--taxonomy", str(taxonomy))
    assert code == 2
    assert '"vertical" must be a text' in said


def test_missing_file_is_refused(capsys):
    assert main(["missing.jsonl"]) == 2
    assert "missing.jsonl cannot be read" in capsys.readouterr().err
