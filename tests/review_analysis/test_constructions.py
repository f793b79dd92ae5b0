"""Patterns of words with gaps that praise or blame as a whole."""

from pathlib import Path

import pytest

from review_analysis import constructions
from review_analysis.segments import Source, sentences

PATTERNS = (
    Path(constructions.__file__).with_name("constructions.txt").read_text("utf-8").splitlines()
)


@pytest.mark.parametrize(
    ("pattern", "text", "size"),
    [
        ("1 took it|them back", "took them back", 3),
        ("1 took it|them back", "took back", None),
        ("1 far? away from", "far from", None),
        ("1 stay far? away", "stay away", 2),
        ("1 stay far? away", "stay far away", 3),
        ("1 stopped +ing", "stopped working", 2),
        ("1 stopped +ing", "stopped work", None),
        ("1 have to ~ to get", "have to jiggle the plug to get", 7),
        ("1 have to ~ to get", "have to one two three four five six to get", 10),
        ("1 have to ~ to get", "have to one two three four five six seven to get", None),
        ("1 have to ~ to get", "have to go , to get", None),
        ("1 ^who does that", "who does that", 3),
        ("1 ^does that", "who does that", None),
        ("1 be back", "be backs", None),
    ],
)
def test_pattern_has_choices_gaps_and_optional_words(pattern, text, size):
    found = constructions.Constructions(pattern).find(text.split(), text)

    assert (found[0].size if 0 in found else None) == size


def test_earlier_pattern_wins_and_patterns_do_not_overlap():
    known = constructions.Constructions("# note\n2 run to\n-1 run\n-3 to me")

    found = known.find(["run", "to", "me"], "run to me")

    assert found == {0: (2, 2.0)}


def test_words_of_patterns_can_occur_in_texts():
    patterns = [line.split()[1:] for line in PATTERNS if line and not line.startswith("#")]
    choices = {
        choice
        for pattern in patterns
        for part in pattern
        for choice in part.removeprefix("^").removesuffix("?").split("|")
    }

    # Texts are read with "you'd" as two words and "honour" as "honor".
    unread = [
        choice
        for choice in choices - {"", "~"}
        if not choice.startswith("+")
        and [word for part in sentences(Source(f"x {choice} x")) for word in part.words][1:-1]
        != [choice]
    ]
    assert unread == []
