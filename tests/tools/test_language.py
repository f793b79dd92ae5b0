from textwrap import dedent

import pytest

from tools.language import check_source, find_metaphor


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


def test_defined_names_of_every_kind_are_checked():
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
    ("words", "is_found"),
    [("word " * 12, False), ("word " * 13, True), ("word " * 7 + "word, " + "word " * 9, False)],
)
def test_docstring_opens_with_twelve_words_at_most(words, is_found):
    found = check_source(f'"""{words.strip()}"""\n', "tidy.py")

    assert [str(each).partition(" words,")[0] for each in found] == (
        ["tidy.py:1: tidy: begin with at most 12"] if is_found else []
    )
