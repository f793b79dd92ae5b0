"""How much of an author's name the public reads: all of it, a first name and initial, or initials.

Spelled names of all scripts are shortened alike; names written without spaces count as one word.
"""

import re
import unicodedata

FULL, FIRST_NAME, INITIALS = "full", "first_name", "initials"
ANONYMOUS = "Anonymous"

_TITLES = frozenset(
    "dr mr mrs ms miss mx prof sir madam rev herr frau mme mlle monsieur madame sr sra".split()
)
_SUFFIXES = frozenset("jr sr ii iii iv md phd dds esq".split())
# Scripts that put no space between a family name and a given name.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def public_name(author: str, style: str) -> str:
    """The author's name as the public reads it.

    "Dana Reyes" is "Dana R." by first name and "D. R." by initials; "Dana" is "Dana" and "D.".
    """
    if style not in {FIRST_NAME, INITIALS} or author == ANONYMOUS:
        return author
    words = _words(author)
    if not words:
        return ANONYMOUS
    first, last = words[0], words[-1]
    if style == INITIALS:
        return f"{_initial(first)} {_initial(last)}" if len(words) > 1 else _initial(first)
    if len(words) > 1:
        return f"{first} {_initial(last)}"
    return _initial(first) if _UNSPACED.search(first) else first


def _words(author: str) -> list[str]:
    """The words of a name that hold a letter or digit, without titles; the family name is last."""
    family, comma, given = unicodedata.normalize("NFC", author).partition(",")
    # "Reyes, Dana", but not "Dana Reyes, Jr."
    spelled = f"{given} {family}" if comma and _bare(given) not in _SUFFIXES else author
    words = [word.strip(",;") for word in spelled.split() if any(c.isalnum() for c in word)]
    while len(words) > 1 and _bare(words[0]) in _TITLES:
        words = words[1:]
    while len(words) > 1 and _bare(words[-1]) in _SUFFIXES:
        words = words[:-1]
    return words


def _bare(word: str) -> str:
    return word.strip().replace(".", "").casefold()


def _initial(word: str) -> str:
    letter = next(c for c in word if c.isalnum())
    capital = letter.upper()
    return f"{capital if len(capital) == 1 else letter}."
