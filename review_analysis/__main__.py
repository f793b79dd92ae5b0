"""Analyse reviews from a file: `python -m review_analysis FILE` prints JSON Lines.

The file holds a JSON array, JSON Lines, or plain text with one review a line; `-` is standard
input. A JSON review is a text, or an object with `text`, `rating` (1 to 5, or none) and any `id`.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from review_analysis import analyse
from review_analysis.taxonomies import VERTICALS, builtin, faults

UNREADABLE = 2  # Exit code.


class Unusable(Exception):
    """A file that cannot be read; the message states the reason."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m review_analysis", description=__doc__)
    parser.add_argument("file", help="the reviews; - for standard input")
    parser.add_argument(
        "--taxonomy",
        default="generic",
        metavar="NAME|FILE",
        help=f"one of {', '.join(VERTICALS)}, or a JSON file (default: generic)",
    )
    parser.add_argument(
        "--roster",
        metavar="FILE",
        help='a JSON array of people: [{"id", "name", "aliases"?, "role"?}, ...]',
    )
    given = parser.parse_args(arguments)
    try:
        taxonomy = _taxonomy(given.taxonomy)
        roster = _roster(given.roster) if given.roster else []
        for place, value in _reviews(_content(given.file), given.file):
            review = {"text": value} if isinstance(value, str) else value
            if not isinstance(review, dict):
                raise Unusable(f'{place} must be a text or an object with "text".')
            text, rating = review.get("text"), review.get("rating")
            if not isinstance(text, str | None):
                raise Unusable(f'{place}: "text" must be a text or null.')
            try:
                found = analyse(text, rating, taxonomy, roster)
            except ValueError as error:
                raise Unusable(f"{place}: {error}") from error
            named = {} if review.get("id") is None else {"id": review["id"]}
            sys.stdout.write(json.dumps({**named, **found}, ensure_ascii=False) + "\n")
    except Unusable as error:
        sys.stderr.write(f"{error}\n")
        return UNREADABLE
    return 0


def _content(name: str) -> str:
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise Unusable(f"{name} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Unusable(f"{name} is not UTF-8 text. Save it as UTF-8.") from error


def _taxonomy(name: str) -> dict[str, Any]:
    if name in VERTICALS:
        return builtin(name)
    taxonomy: dict[str, Any] = _json(_content(name), name)
    if wrong := faults(taxonomy):
        raise Unusable(f"{name}: {wrong[0]}")
    return taxonomy


def _roster(name: str) -> list[Any]:
    entries = _json(_content(name), name)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise Unusable(f"{name} must hold a JSON array of objects.")
    return entries


def _json(content: str, name: str) -> Any:
    try:
        return json.loads(content)
    except ValueError as error:
        raise Unusable(f"{name} is not JSON: {error}.") from error


def _reviews(content: str, name: str) -> Iterator[tuple[str, object]]:
    """Yield each review with its position in the file."""
    if content.lstrip().startswith("["):
        for number, value in enumerate(_json(content, name), start=1):
            yield f"Review {number}", value
        return
    for number, line in enumerate(content.splitlines(), start=1):
        place = f"Line {number}"
        if text := line.strip():
            yield place, _json(text, place) if text.startswith("{") else text


if __name__ == "__main__":
    sys.exit(main())
