"""Invisible characters and full-width forms in values that are no text."""

# Soft hyphen, widths of zero, marks of direction, byte order marks.
_INVISIBLE = dict.fromkeys(
    (0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF)
)


def without_invisible(text: str) -> str:
    """A value that is no text, without its invisible characters."""
    return text if text.isascii() else text.translate(_INVISIBLE)


# U+FF01 to U+FF5E are ASCII in the width of an ideograph (Unicode 15, chapter 18.5).
_FULL_WIDTH = {0xFEE0 + code: code for code in range(0x21, 0x7F)} | {0x3000: 0x20}


def half_width(text: str) -> str:
    """The value with full-width digits and marks as ASCII."""
    return text if text.isascii() else text.translate(_FULL_WIDTH)
