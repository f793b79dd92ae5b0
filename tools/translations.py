"""Update the translation catalogues: `python -m tools.translations [--check]`.

Collects the messages of Python, templates, TOML and JSON into the `.po` file of each language in
`config/locale/`, keeps existing translations, and compiles the `.mo` files. `--check` changes
nothing. It fails if a file is out of date, a message has no translation, or placeholders differ.
"""

import argparse
import io
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from gettext import GNUTranslations
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "config" / "locale"
# Two forms; CLDR's third is for a million and more in compact notation.
PLURAL_FORMS = {
    "de": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
}
LANGUAGES = tuple(PLURAL_FORMS)
FOLDERS = (
    *("config", "core", "demo", "embed", "feeds", "imports", "insights", "notifications"),
    *("review_exports", "reviews", "sign_in", "sources", "website", "websub"),
)
ALL = frozenset({"*"})  # Every text is a message.
LABELS = {
    "insights/prose/texts.toml": frozenset({"label", "title", "question", "topic", "about", "did"}),
    "review_analysis/words.toml": frozenset({"label"}),
    "review_analysis/taxonomies/*.json": frozenset({"label", "question", "topic"}),
    "review_exports/vocabulary/messages.toml": ALL,
    "sources/messages.toml": ALL,
    "sources/connectors/recipes/*.toml": frozenset({"title", "help", "terms"}),
    "website/*.toml": frozenset({"title", "summary", "notes", "steps"}),
}
KEYWORDS = {
    **dict.fromkeys(("gettext", "gettext_lazy", "gettext_noop", "_"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
    "too_many": None,  # A function of `review_exports`; its argument is part of a sentence.
}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{[^{}]*\}|\$\w+")


def messages() -> Iterator[tuple[str | tuple[str, ...], str | None]]:
    """Yield every message with its context, file by file."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix == ".py" and "migrations" not in path.parts:
                yield from _from_python(path.read_text(encoding="utf-8"))
            elif path.suffix in {".html", ".txt"} and "templates" in path.parts:
                source = templatize(path.read_text(encoding="utf-8"))
                yield from _from_python("\n".join(map(str.strip, source.splitlines())))
    for pattern, keys in LABELS.items():
        for path in sorted(ROOT.glob(pattern)):
            load = tomllib.loads if path.suffix == ".toml" else json.loads
            content = load(path.read_text(encoding="utf-8"))
            yield from ((label, None) for label in _labels(content, keys))


def _from_python(source: str) -> Iterator[tuple[str | tuple[str, ...], str | None]]:
    stream = io.BytesIO(source.encode())
    for _, message, _, context in extract("python", stream, keywords=KEYWORDS):
        yield message, context


def _labels(value: object, keys: AbstractSet[str], *, is_label: bool = False) -> Iterator[str]:
    """Yield texts and lists of texts under these keys, at any depth."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _labels(each, keys, is_label=key in keys or keys is ALL)
    elif isinstance(value, list):
        for each in value:
            yield from _labels(each, keys, is_label=is_label)
    elif isinstance(value, str) and is_label:
        yield value


def template_catalog() -> Catalog:
    catalog = Catalog(domain="django", charset="utf-8", fuzzy=False)
    for message, context in messages():
        catalog.add(message, context=context)
    return catalog


def updated(language: str, template: Catalog) -> Catalog:
    """Return the stored catalogue of a language, with the current messages."""
    path = po_path(language)
    stored = _parse(path.read_bytes() if path.exists() else _header(language), language)
    catalog = _parse(_header(language), language)
    for message in template:
        if not message.id:
            continue
        known = stored.get(message.id, message.context)
        catalog.add(message.id, known.string if known else None, context=message.context)
    return catalog


def po_path(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def _header(language: str) -> bytes:
    header = f'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n'
    header += '"Content-Type: text/plain; charset=utf-8\\n"\n'
    return f'{header}"Plural-Forms: {PLURAL_FORMS[language]}\\n"\n\n'.encode()


def _parse(po: bytes, language: str) -> Catalog:
    return read_po(io.BytesIO(po), locale=language, domain="django")


def po_bytes(catalog: Catalog) -> bytes:
    stream = io.BytesIO()
    write_po(stream, catalog, width=100, omit_header=True, sort_output=True, no_location=True)
    return _header(str(catalog.locale_identifier)) + stream.getvalue()


def mo_bytes(po: bytes, language: str) -> bytes:
    stream = io.BytesIO()
    write_mo(stream, _parse(po, language))
    return stream.getvalue()


def compiled(mo: bytes) -> dict[Any, str]:
    """Return the translations of a `.mo` file without its header, which has a time."""
    translations: Any = GNUTranslations(io.BytesIO(mo))
    return {key: text for key, text in translations._catalog.items() if key}  # noqa: SLF001  (No public one.)


def faults(catalog: Catalog) -> Iterator[str]:
    """Report missing translations, and translations with other placeholders."""
    for message in catalog:
        if message.id:
            sources, strings = _as_list(message.id), _as_list(message.string)
            if not all(strings):
                yield f"{catalog.locale_identifier}: no translation of {sources[0]!r}"
            elif any(_placeholders(each) - _placeholders(*sources) for each in strings) or (
                _placeholders(strings[-1]) != _placeholders(sources[-1])
            ):
                yield f"{catalog.locale_identifier}: other placeholders in {strings[-1]!r}"


def _as_list(text: Any) -> list[str]:
    return list(text) if isinstance(text, list | tuple) else [text or ""]


def _placeholders(*texts: str) -> set[str]:
    return {name for text in texts for name in PLACEHOLDER.findall(text)}


def main() -> int:
    parser = argparse.ArgumentParser(description="Update the catalogues of translations.")
    parser.add_argument("--check", action="store_true", help="change nothing, fail on a fault")
    is_check = parser.parse_args().check
    template, found = template_catalog(), []
    for language in LANGUAGES:
        catalog = updated(language, template)
        path, po = po_path(language), po_bytes(catalog)
        files = {path: po, path.with_suffix(".mo"): mo_bytes(po, language)}
        if is_check:
            stale = [each for each, body in files.items() if not _holds(each, body)]
            found += [f"{each.relative_to(ROOT)} is out of date" for each in stale]
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            for each, body in files.items():
                each.write_bytes(body)
        found += faults(catalog)
    sys.stdout.writelines(f"{each}\n" for each in found)
    if found and is_check:
        sys.stdout.write("Run `python -m tools.translations`, then fill in config/locale/.\n")
    return 1 if found and is_check else 0


def _holds(path: Path, body: bytes) -> bool:
    if not path.exists():
        return False
    stored = path.read_bytes()
    return compiled(stored) == compiled(body) if path.suffix == ".mo" else stored == body


if __name__ == "__main__":
    sys.exit(main())
