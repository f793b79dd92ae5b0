"""Letters and a colour in place of an author's picture."""

TINTS = 6


def initials(author: str) -> str:
    """The first letters of first and last name, in place of a picture."""
    letters = [next((c for c in word if c.isalnum()), "") for word in author.split()]
    found = [letter for letter in letters if letter]
    return "".join(found[:1] + found[1:][-1:]).upper()[:4]


def tint(author: str) -> int:
    """One of a few colours, always the same for the same name."""
    return sum(author.encode()) % TINTS
