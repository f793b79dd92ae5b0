"""Pure: the one folding by which texts and names are compared.

Stored folded texts, search needles and roster names all pass through here, so that SQLite and
PostgreSQL give the same answers.
"""

import unicodedata


def fold(text: str) -> str:
    """Unicode case folding after NFC."""
    return unicodedata.normalize("NFC", text).casefold()
