"""Program text (JavaScript), which people save in place of an export."""

import re
from typing import BinaryIO

from review_exports.decoding import Encoding, open_text
from review_exports.records import FileRefused

_START = 4_000  # Characters that tell what a file is.
_JAVASCRIPT = re.compile(
    r"""\s*(?:/\*(?:[^*]|\*(?!/))*\*/\s*|//[^\n]*\n\s*)*       # Comments.
    (?:["']use\ strict["']
    |(?:var|let|const)\s+[\w$]+\s*=
    |(?:async\s+)?function\b\s*[\w$]*\s*\(
    |export\s+(?:default|const|let|var|function|class|\{)
    |import\s+[\w${*"'][^\n;]*["'];?\s*\n
    |\(\s*(?:function\b|\(\)|async\b)
    |[A-Za-z_$][\w$.]*\s*(?:\[[^\]\n]*\]\s*)?=\s*[\[{("'`]     # A value for a name.
    |[A-Za-z_$][\w$.]*\(\s*[\[{]                               # JSONP.
    )""",
    re.VERBOSE,
)


def refuse_program_text(file: BinaryIO, encoding: Encoding) -> None:
    """Refuse a text that begins as a program does."""
    with open_text(file, encoding) as text:
        start = text.read(_START).lstrip("\ufeff")
    if _JAVASCRIPT.match(start):
        raise FileRefused(
            "file_is_program",
            "This is a program text (JavaScript), not an export. Export the reviews as CSV, Excel "
            "or JSON; or, if they stand in it, keep what is between the first [ and the last ], "
            "save that as a file that ends in .json and import it.",
        )
