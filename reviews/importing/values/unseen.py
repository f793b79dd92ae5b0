"""Pure: characters that nobody sees, such as copied dates and joined files carry."""

# Soft hyphen, widths of zero, marks of direction, byte order marks.
_UNSEEN = dict.fromkeys(
    (0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF)
)


def without_unseen(text: str) -> str:
    """A value that is no text, without what stands in it unseen."""
    return text if text.isascii() else text.translate(_UNSEEN)
