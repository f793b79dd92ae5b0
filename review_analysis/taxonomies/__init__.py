"""Taxonomies that come with the library, and validation of taxonomies.

A taxonomy lists the words by which aspects, services, problems, areas and topics are found.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NotRequired, TypedDict

VERTICALS = (
    "home_services", "auto_repair", "clinic", "pet_services", "senior_living", "law_firm",
    "education", "restaurant", "hotel", "attraction", "hair_beauty", "fitness", "retail", "generic",
)  # fmt: skip
GROUPS = ("aspects", "services", "problems", "areas", "topics")
MAX_ENTRIES = 200  # Per group.
MAX_TERMS = 3000  # Per entry.
MAX_LENGTH = 100  # Of an id or a label.
MAX_TERM_LENGTH = 1000  # Including all choices.

_HERE = Path(__file__).parent
_SNAKE_CASE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")
_SLUG = re.compile(r"[a-z0-9]+([_-][a-z0-9]+)*")
# A gap, a number, or a choice that may be empty.
_OPEN_BEGINNING = re.compile(r"\s*(?:[*#]\s|\((?:[^()|]*\|)*[*#\s]*[|)])")
_CHOICE = re.compile(r"\([^()]*\|[^()]*\)")
_KEYS = ("id", "label", "terms", "exclude", "term_polarity")
_KEYS_OF_ASPECTS = (*_KEYS, "weak", "subjects")


class Entry(TypedDict):
    """A service, problem, area or topic, and the common fields of an aspect."""

    id: str  # Lower-case letters and digits; "_" between words, or "-" except in aspects.
    label: str
    terms: list[str]
    exclude: NotRequired[list[str]]  # Phrases in which the terms do not refer to the entry.
    term_polarity: NotRequired[dict[str, int]]  # -1 or 1 for terms with a polarity.


class AspectEntry(Entry):
    """A quality that reviews judge."""

    # Terms ("nice", "open") that count only beside another term, in a clause about one of the
    # `subjects` ("he was nice"), or if they are nouns or verbs that another word judges.
    weak: NotRequired[list[str]]
    subjects: NotRequired[list[str]]


class Taxonomy(TypedDict):
    """Words to look for. `faults` validates a taxonomy; the analyser needs no group."""

    id: str
    version: int
    vertical: str
    label: str
    aspects: NotRequired[list[AspectEntry]]
    services: NotRequired[list[Entry]]
    problems: NotRequired[list[Entry]]
    areas: NotRequired[list[Entry]]
    topics: NotRequired[list[Entry]]


def builtin(vertical: str) -> dict[str, Any]:
    """Return a new copy of the taxonomy of a vertical. Raises KeyError."""
    if vertical not in VERTICALS:
        raise KeyError(vertical)
    taxonomy = _read(vertical)
    for group in GROUPS:
        taxonomy[group] = [_whole(entry, group) for entry in taxonomy[group]]
    return taxonomy


def _read(name: str) -> dict[str, Any]:
    taxonomy: dict[str, Any] = json.loads((_HERE / f"{name}.json").read_text("utf-8"))
    return taxonomy


def _whole(entry: dict[str, Any], group: str) -> dict[str, Any]:
    """Complete an entry from the one named by "like", except for the terms in "without"."""
    if "like" not in entry:
        return entry
    name, _, key = entry.pop("like").partition("/")
    without = frozenset(entry.pop("without", ()))
    shared = next(other for other in _read(name)[group] if other["id"] == key)
    for field, found in shared.items():
        if isinstance(found, list):
            shared[field] = [term for term in found if term not in without]
        elif isinstance(found, dict):
            shared[field] = {term: sign for term, sign in found.items() if term not in without}
    whole: dict[str, Any] = shared | entry
    for field in ("terms", "weak", "subjects", "exclude"):
        if field in shared and field in entry:
            whole[field] = list(dict.fromkeys([*shared[field], *entry[field]]))
    if "term_polarity" in shared:
        whole["term_polarity"] = shared["term_polarity"] | entry.get("term_polarity", {})
    return whole


def faults(taxonomy: object) -> list[str]:
    """Return a sentence for each fault in the shape of a taxonomy."""
    if not isinstance(taxonomy, dict):
        return ["The taxonomy must be a JSON object."]
    return [*_head_faults(taxonomy), *_group_faults(taxonomy)]


def _head_faults(taxonomy: dict[str, Any]) -> Iterator[str]:
    for key in ("id", "vertical", "label"):
        if not _is_text(taxonomy.get(key)):
            yield f'"{key}" must be a text of 1 to {MAX_LENGTH} characters.'
    version = taxonomy.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        yield '"version" must be a whole number from 1.'
    for key in taxonomy:
        if key not in {"id", "version", "vertical", "label", *GROUPS}:
            yield f'"{key}" is not a field of a taxonomy.'


def _group_faults(taxonomy: dict[str, Any]) -> Iterator[str]:
    for group in GROUPS:
        entries = taxonomy.get(group)
        if not isinstance(entries, list):
            yield f'"{group}" must be a list; an empty one will do.'
            continue
        if len(entries) > MAX_ENTRIES:
            yield f'"{group}" must have at most {MAX_ENTRIES} entries; it has {len(entries)}.'
        ids: set[str] = set()
        for number, entry in enumerate(entries[:MAX_ENTRIES], start=1):
            if not isinstance(entry, dict):
                yield f'Entry {number} of "{group}" must be a JSON object.'
                continue
            slug = entry.get("id")
            where = f'Entry {number} of "{group}"' + (f" ({slug})" if _is_text(slug) else "")
            yield from (f"{where}: {fault}" for fault in _entry_faults(entry, group))
            if isinstance(slug, str) and slug in ids:
                yield f'{where}: "id" stands at an earlier entry as well; ids must differ.'
            elif isinstance(slug, str):
                ids.add(slug)


def _entry_faults(entry: dict[str, Any], group: str) -> Iterator[str]:
    if fault := id_fault(entry.get("id"), group):
        yield f'"id" {fault}'
    if not _is_text(entry.get("label")):
        yield f'"label" must be a text of 1 to {MAX_LENGTH} characters.'
    for key in entry:
        if key not in (_KEYS_OF_ASPECTS if group == "aspects" else _KEYS):
            yield f'"{key}" is not a field of an entry.'
    if entry.get("terms") == []:
        yield '"terms" must have at least one term.'
    is_named = group in {"services", "areas"}
    yield from _term_faults("terms", entry.get("terms"), is_named=is_named)
    yield from _term_faults("exclude", entry.get("exclude", []), is_named=is_named)
    yield from _term_faults("weak", entry.get("weak", []))
    yield from _term_faults("subjects", entry.get("subjects", []))
    yield from _reference_faults(entry)


def _reference_faults(entry: dict[str, Any]) -> Iterator[str]:
    """Yield faults of the fields that refer to terms of the entry."""
    terms, weak = entry.get("terms"), entry.get("weak", [])
    polarities = entry.get("term_polarity", {})
    if not isinstance(polarities, dict):
        yield '"term_polarity" must be a JSON object of terms with -1 or 1.'
        polarities = {}
    for term, polarity in polarities.items():
        if isinstance(polarity, bool) or polarity not in (-1, 1):
            yield f'"term_polarity": "{term}" must be -1 or 1.'
    if not isinstance(terms, list) or not isinstance(weak, list):
        return
    for key, named in (("term_polarity", polarities), ("weak", weak)):
        for term in named:
            if term not in terms:
                yield f'"{key}": "{term}" must be one of "terms".'
    if weak and not entry.get("subjects") and all(term in weak for term in terms):
        yield '"weak" must leave a term that counts by itself, or "subjects" must name a word.'


def id_fault(slug: object, group: str) -> str | None:
    """Return the fault of an id as the end of a sentence, if any."""
    pattern, example = (
        (_SNAKE_CASE, "response_time") if group == "aspects" else (_SLUG, "response-time")
    )
    if isinstance(slug, str) and len(slug) <= MAX_LENGTH and pattern.fullmatch(slug):
        return None
    return f'must be of lower-case letters and digits, like "{example}".'


def term_fault(term: str, *, is_named: bool = False) -> str | None:
    """Return the fault of a term as the end of a sentence, if any.

    Terms of services and areas (`is_named`) have no gaps or choices.
    """
    if not any(char.isalnum() or char == "$" for char in term):
        return "must have a letter or a digit."
    if is_named:
        return "may have a * only at its end." if "*" in term[:-1] else None
    if re.search(r"\*[^\s|)]", term):
        return "may have a * only at the end of a word, or by itself."
    if "|" in _CHOICE.sub("", term):
        return "may have a | only between brackets, and none within others: (no|zero)."
    if _OPEN_BEGINNING.match(term):
        return "must begin with a word."
    return None


def _term_faults(key: str, terms: object, *, is_named: bool = False) -> Iterator[str]:
    if not isinstance(terms, list):
        yield f'"{key}" must be a list of texts.'
        return
    if len(terms) > MAX_TERMS:
        yield f'"{key}" must have at most {MAX_TERMS} terms; it has {len(terms)}.'
    for term in terms[:MAX_TERMS]:
        if not _is_text(term, MAX_TERM_LENGTH):
            yield f'"{key}" must hold texts of 1 to {MAX_TERM_LENGTH} characters only.'
        elif fault := term_fault(term, is_named=is_named):
            yield f'"{key}": "{term}" {fault}'


def _is_text(value: object, most: int = MAX_LENGTH) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= most
