"""The check of names and docstrings finds metaphors and missing subjects, and nothing else."""

import subprocess
import sys
from textwrap import dedent

import pytest

from tools.language import check_source, find_metaphor, find_modules


@pytest.mark.parametrize(
    ("identifier", "replacement"),
    [
        ("shelf", "cache"),
        ("DocumentShelf", "cache"),
        ("_LANES", "queue"),
        ("PATIENCE_SECONDS", "timeout"),
        ("shelves", "cache"),
        ("HTTPDoorbell", "nudge"),
        ("is_settled", "record"),
        ("import_turn", "lock"),
        ("test_slow_lane_is_taken", "queue"),
    ],
)
def test_metaphor_has_replacement(identifier, replacement):
    assert find_metaphor(identifier) == replacement


@pytest.mark.parametrize(
    "identifier",
    (
        "shelfish returned planes turn_polarity bellow queue _ __init__ class"
        " test_worker_is_asked_once test_mistyped_date_does_not_turn"
    ).split(),
)
def test_usual_names_pass(identifier):
    assert find_metaphor(identifier) is None


def test_every_kind_of_defined_name_is_checked():
    source = """
    class Desk:
        patience: int = 3

        def settle(self, asked, *, told=None):
            self.bell = 1
            for lane, (piece, _) in []:
                with open("x") as mailbox:
                    pass
            if (standby := 1):
                return lambda stranger: stranger
    """

    found = check_source(dedent(source), "shop/shelf.py")

    assert [(finding.line, finding.name) for finding in found] == [
        (1, "shelf"),
        (2, "Desk"),
        (3, "patience"),
        (5, "asked"),
        (5, "settle"),
        (5, "told"),
        (6, "bell"),
        (7, "lane"),
        (7, "piece"),
        (8, "mailbox"),
        (10, "standby"),
        (11, "stranger"),
    ]


def test_names_of_others_may_be_used():
    assert check_source("import desk\n\ndesk.settle(told=1)\n") == []


@pytest.mark.parametrize(
    "docstring",
    [
        "Who may import.", "Whoever asks.", "What a request says.", "Whatever is due.",
        "Nobody waits.", "Those who read.", "Pure: no clock.", '"Chase bank"; but "this Chase".',
        "Refresh; False if another process is at it.", "Rows, none of it kept.",
    ],
)  # fmt: skip
def test_docstring_without_subject_or_with_private_language_is_found(docstring):
    source = f"def answer():\n    '''{docstring}'''\n"

    (finding,) = check_source(source, "shop/reads.py")

    assert (finding.line, finding.name) == (2, "answer")


@pytest.mark.parametrize(
    "docstring", ["Return what was sent.", "Whole numbers.", "Those rows.", "WHOIS record."]
)
def test_docstring_with_subject_passes(docstring):
    source = f'"""{docstring}"""\n\nclass Reader:\n    """{docstring}"""\n'

    assert check_source(source) == []


@pytest.mark.parametrize(
    ("words", "is_found"),
    [("word " * 12, False), ("word " * 13, True), ("word " * 7 + "word, " + "word " * 9, False)],
)
def test_docstring_opens_with_twelve_words_at_most(words, is_found):
    found = check_source(f'"""{words.strip()}"""\n', "tidy.py")

    assert [str(each).partition(" words,")[0] for each in found] == (
        ["tidy.py:1: tidy: begin with at most 12"] if is_found else []
    )


def test_migrations_and_recordings_are_left_out(tmp_path):
    for name in ("shop/reads.py", "shop/migrations/0001_first.py", ".venv/lib.py", "var/made.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    found = [path.relative_to(tmp_path).as_posix() for path in find_modules([], tmp_path)]

    assert found == ["shop/reads.py"]


@pytest.mark.slow
@pytest.mark.parametrize(("source", "code"), [("queue = 1\n", 0), ("lane = 1\n", 1)])
def test_command_prints_findings_and_fails_on_them(tmp_path, source, code):
    path = tmp_path / "reads.py"
    path.write_text(source)

    run = subprocess.run(
        [sys.executable, "-m", "tools.language", str(path)],
        check=False,
        capture_output=True,
        text=True,
    )

    assert run.returncode == code
    assert run.stdout == ("" if code == 0 else f"{path}:1: lane: use queue\n")
