"""Initials and a colour in place of an author's picture."""

# Dark enough for white letters.
TINTS = ("#2f6f62", "#8a4b2d", "#4a5a94", "#7a4470", "#5f6b1f", "#2e6583")


def initials(author: str) -> str:
    """First letters of first and last name."""
    letters = [next((c for c in word if c.isalnum()), "") for word in author.split()]
    found = [letter for letter in letters if letter]
    return "".join(found[:1] + found[1:][-1:]).upper()[:4]


def tint(author: str) -> str:
    """Colour of an author, the same for the same name."""
    return TINTS[sum(author.encode()) % len(TINTS)]
