"""Explanations of invalid JSON, each with its remedy."""

import itertools
import json
import re

_BLANK = " \t\r\n"
# Faults by what stands there, and by what the parser says of it.
_BY_START = (
    (
        re.compile(r"'|[A-Za-z_$][\w$]*\s*:"),
        (
            'names and texts need double quotation marks, as in "rating": 5. This may be '
            "program text (JavaScript or Python); export the reviews as JSON."
        ),
    ),
    (
        re.compile("undefined|None|True|False"),
        "a program's word stands where JSON has null, true or false. Replace it.",
    ),
    (re.compile("//|/[*]"), "JSON has no comments. Remove them."),
)
_BY_WORDS = {
    "Extra data": "the document has ended before this. Remove what follows, or export the file "
    "again.",
    "Unterminated string": "a quotation mark is never closed. Close it; or the file is cut off: "
    "export it again.",
    "':' delimiter": "a colon is missing before this. Add it.",
    "',' delimiter": "a comma is missing before this, or a quotation mark inside a text has no "
    "backslash before it. Add it.",
}


def explain(error: json.JSONDecodeError) -> str:
    """Explain the fault that the parser met, with its place and remedy."""
    text, position = error.doc, error.pos
    if error.msg.startswith("Invalid control character"):
        fault = "there is a line break or a tab inside a text. Write it as \\n or \\t."
        return f"The JSON cannot be read at {_place(text, position)}: {fault}"
    position = _after_blanks(text, position)
    # Newer versions of Python tell the comma's place.
    if text[position : position + 1] == "," and (
        text[(after := _after_blanks(text, position + 1)) : after + 1] in {"}", "]"}
    ):
        position = after
    here = text[position : position + 1]
    before = text[:position].rstrip(_BLANK)[-1:]
    if here in {"}", "]"} and before == ",":
        return (
            f"There is a comma too many at {_place(text, position)}, before the {here}. Remove it."
        )
    if here == "," and before in {",", "[", "{"}:
        return f"There is a comma too many at {_place(text, position)}. Remove it."
    return f"The JSON cannot be read at {_place(text, position)}: {_fault(error, position, here)}"


def _fault(error: json.JSONDecodeError, position: int, here: str) -> str:
    rest = error.doc[position:]
    if error.msg != "Extra data" and "}" not in rest and "]" not in rest:
        return "the text ends before it is complete. The file is cut off; export it again."
    by_start = (sentence for start, sentence in _BY_START if start.match(rest))
    by_words = (sentence for words, sentence in _BY_WORDS.items() if words in error.msg)
    other = f"the sign {here} is not expected. Correct it, or export the file again."
    return next(itertools.chain(by_start, by_words), other)


def _after_blanks(text: str, position: int) -> int:
    return len(text) - len(text[position:].lstrip(_BLANK))


def _place(text: str, position: int) -> str:
    """The line and column, counted from 1 as editors do."""
    line = text.count("\n", 0, position) + 1
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"
