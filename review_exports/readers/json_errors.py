"""Explanations of invalid JSON, each with its remedy."""

import json
import re

# Faults by what stands around their place, and by what the parser says of them.
_SURPLUS = re.compile(r",\s*(?P<mark>[}\]])|[,\[{]\s*(?P<comma>,)")
_BY_SIGNS = (
    (
        r".?\s*(?:'|[A-Za-z_$][\w$]*\s*:)",
        (
            'names and texts need double quotation marks, as in "rating": 5. This may be '
            "program text (JavaScript or Python); export the reviews as JSON."
        ),
    ),
    (
        r".?\s*(?:undefined|None|True|False)",
        "a program's word stands where JSON has null, true or false. Replace it.",
    ),
    (r".?\s*(?://|/[*])", "JSON has no comments. Remove them."),
)
_CUT_OFF = "the text ends before it is complete. The file is cut off; export it again."
_BY_WORDS = {
    "Invalid control": "there is a line break or a tab inside a text. Write it as \\n or \\t.",
    "Extra data": "the document has ended before this. Remove what follows, or export the file "
    "again.",
    "Unterminated string": "a quotation mark is never closed. Close it; or the file is cut off: "
    "export it again.",
    "':' delimiter": "a colon is missing before this. Add it.",
    "',' delimiter": "a comma is missing before this, or a quotation mark inside a text has no "
    "backslash before it. Add it.",
    "": "this sign is not expected. Correct it, or export the file again.",
}


def explain(error: json.JSONDecodeError) -> str:
    """Explain the fault that the parser met, with its place and remedy."""
    text, position = error.doc, error.pos
    if "control" not in error.msg:
        # Newer versions of Python tell the place of the comma that is too many.
        surplus = re.compile(r",\s*(?=[}\]])").match(text, position)
        position = surplus.end() if surplus else _after_blanks(text, position)
    before = len(text[:position].rstrip())
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    around, place = text[max(before - 1, 0) :], f"line {line}, column {column}"
    if "control" not in error.msg and (surplus := _SURPLUS.match(around)):
        mark = f", before the {surplus['mark']}" if surplus["mark"] else ""
        return f"There is a comma too many at {place}{mark}. Remove it."
    return f"The JSON cannot be read at {place}: {_fault(error.msg, around, text[position:])}"


def _fault(message: str, around: str, rest: str) -> str:
    by_words = next(fault for words, fault in _BY_WORDS.items() if words in message)
    if message.startswith("Invalid control"):
        return by_words
    if message != "Extra data" and "}" not in rest and "]" not in rest:
        return _CUT_OFF
    return next((fault for signs, fault in _BY_SIGNS if re.match(signs, around)), by_words)


def _after_blanks(text: str, position: int) -> int:
    return len(text) - len(text[position:].lstrip())
