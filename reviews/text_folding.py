"""Fold texts for the search, so that SQLite and PostgreSQL compare them alike."""

import re

from review_analysis.text import fold

# Quotes and dashes of phones and word processors, by those of a keyboard.
_TYPED = str.maketrans(
    {
        **dict.fromkeys(
            "\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201a\u201b\u2032\u2039\u203a", "'"
        ),
        **dict.fromkeys("\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033\u301d\u301e\u301f", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63", "-"),
        "\uff07": "'",
        "\uff02": '"',
        "\uff0d": "-",
    }
)
_SPACES = re.compile(r"\s+")


def fold_for_search(text: str) -> str:
    """Fold case, and write quotes, dashes and white space as a keyboard does.

    A run of white space is one space.
    """
    return _SPACES.sub(" ", fold(text).translate(_TYPED))
