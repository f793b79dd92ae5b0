"""Letters and a colour in place of an author's picture."""

# White letters on them can be read.
TINTS = ("#2f6f62", "#8a4b2d", "#4a5a94", "#7a4470", "#5f6b1f", "#2e6583")


def initials(author: str) -> str:
    """The first letters of first and last name, in place of a picture."""
    letters = [next((c for c in word if c.isalnum()), "") for word in author.split()]
    found = [letter for letter in letters if letter]
    return "".join(found[:1] + found[1:][-1:]).upper()[:4]


def tint(author: str) -> str:
    """One of a few colours, always the same for the same name."""
    return TINTS[sum(author.encode()) % len(TINTS)]
