"""Requirements of the protocol's revisions, sentence by sentence, and the tests that show them.

The sentences stand in requirements.txt, read from the published revisions 2024-11-05 to
2026-07-28. MUST and SHOULD are the protocol's words; OURS goes beyond the protocol, and is kept
because clients are better off with it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MUST, SHOULD, OURS = "MUST", "SHOULD", "ours"
TITLES = {
    "A": "Messages",
    "B": "POST",
    "C": "Other methods, and the address",
    "D": "Sessions (until 2025-11-25)",
    "E": "Revisions (until 2025-11-25)",
    "F": "Revision 2026-07-28",
    "G": "Tools",
    "H": "Resources",
    "I": "Prompts and completions",
    "J": "What is not offered",
    "K": "Security",
    "L": "Pages that ask from a browser",
    "M": "The same answers as over HTTP",
    "N": "Discovery",
}


class Requirement(NamedTuple):
    id: str
    level: str
    sentence: str
    tests: tuple[str, ...]  # `jsonrpc.a_message_...`: module and function without `test_`.


def _read(text: str) -> Iterator[Requirement]:
    for paragraph in text.strip().split("\n\n"):
        head, *tests = paragraph.splitlines()
        number, level, sentence = head.split(" ", 2)
        yield Requirement(number, level, sentence, tuple(test.strip() for test in tests))


REQUIREMENTS = tuple(_read(Path(__file__).with_suffix(".txt").read_text("utf-8")))
