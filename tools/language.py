"""Check names and docstrings against the language rules of CONTRIBUTING.md.

    python -m tools.language          # the whole tree
    python -m tools.language websub   # one folder

Prints `file:line: name: use replacement` for each finding; the exit code is 1 if there is one.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Words that no name may contain.
METAPHORS = {
    "bell": "wakeup, event",
    "desk": "claimer",
    "doorbell": "nudge",
    "edition": "version, content",
    "errand": "visit_reason, oneshot",
    "lane": "queue",
    "ledger": "totals",
    "mailbox": "filesystem_transport",
    "neighbourhood": "network_prefix",
    "patience": "timeout",
    "pump": "dispatcher",
    "rival": "competitor",
    "shelf": "cache",
    "standby": "fallback",
    "stranger": "other_person",
    "tally": "totals",
    "upkeep": "admin_actions",
    "witness": "evidence",
    "workplace": "model_admin",
    "workshop": "custom_page",
}
# Words that are usual in names of tests, and private language in other names.
VERBS = {
    "anew": "again",
    "asked": "requested, parameters, result",
    "piece": "chunk, part, span",
    "remember": "cache, store",
    "settle": "record",
    "told": "reported, message",
}
LAST_WORDS = {"turn": "lock"}  # Only as a noun; a verb is followed by its object.
INFLECTIONS = {
    "remembered": "remember",
    "settled": "settle",
    "settling": "settle",
    "shelves": "shelf",
    "tallies": "tally",
    "witnesses": "witness",
}
UNNAMED_SUBJECTS = re.compile(
    r"(Who|Whoever|Whom|Whose|What|Whatever|Nobody|Those who|Pure:)(?![\w-])"
)
DIALECT = re.compile(
    r"\b(none of it|nobody(?:'s)?|in hand|(?:are|else|is|was|were) at it|has rung|not to be had"
    r"|who(?:so)?m?ever|who asks?|of two who|told|anew|of ours)\b",
    re.IGNORECASE,
)
QUOTATION_MARKS = ('"', "\u201c", "'")
OPENING_ENDS = re.compile(r"[,;:.(](?=\s|\w|$)")
OPENING_WORDS = 12
UNCHECKED = {"migrations", "node_modules", "var"}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One name or docstring that breaks a rule."""

    path: str
    line: int
    name: str
    advice: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.name}: {self.advice}"


def check_source(source: str, path: str = "<source>") -> list[Finding]:
    """Check a module's name, the names that it defines, and its docstrings."""
    tree = ast.parse(source)
    named = [(Path(path).stem, 1), *_defined_names(tree)]
    found = {
        Finding(path, line, name, f"use {replacement}")
        for name, line in named
        if (replacement := find_metaphor(name))
    }
    return sorted(found | set(_check_docstrings(tree, path)))


def find_metaphor(identifier: str) -> str | None:
    """Return the replacement for a metaphor in an identifier, None without one."""
    words = [_without_inflection(word) for word in _split_words(identifier)]
    table = METAPHORS if words[:1] == ["test"] else METAPHORS | VERBS
    for word in words:
        if word in table:
            return table[word]
    return LAST_WORDS.get(words[-1]) if words and words[0] != "test" else None


def _split_words(identifier: str) -> list[str]:
    """Split snake case, camel case and capitals into lower-case words."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", identifier)]


def _without_inflection(word: str) -> str:
    return INFLECTIONS.get(word, word.removesuffix("s"))


def _defined_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node.lineno
            case ast.arg():
                yield node.arg, node.lineno
            case ast.Name(ctx=ast.Store()):
                yield node.id, node.lineno
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr, node.lineno


def _check_docstrings(tree: ast.Module, path: str) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        text = " ".join((ast.get_docstring(node) or "").split())
        name = getattr(node, "name", Path(path).stem)
        if begun := UNNAMED_SUBJECTS.match(text):
            advice = f'begin with a verb or a noun, not "{begun[1]}"'
            yield Finding(path, node.body[0].lineno, name, advice)
        elif text.startswith(QUOTATION_MARKS):
            advice = "say what it does before an example"
            yield Finding(path, node.body[0].lineno, name, advice)
        elif found := DIALECT.search(text):
            yield Finding(path, node.body[0].lineno, name, f'say it without "{found[0]}"')
        if len(OPENING_ENDS.split(text, maxsplit=1)[0].split()) > OPENING_WORDS:
            advice = f"begin with at most {OPENING_WORDS} words, up to the first comma or full stop"
            yield Finding(path, node.body[0].lineno, name, advice)


def find_modules(folders: list[str]) -> Iterator[Path]:
    """Yield the Python files in folders, by default those of the whole tree."""
    tops = [ROOT / folder for folder in folders] or sorted(ROOT.iterdir())
    for top in tops:
        for path in [top] if top.suffix == ".py" else sorted(top.rglob("*.py")):
            parts = path.relative_to(ROOT).parts
            if not UNCHECKED & set(parts) and not any(part.startswith(".") for part in parts):
                yield path


def main(folders: list[str]) -> int:
    """Print the findings; the exit code is 1 if there are any."""
    findings = [
        finding
        for path in find_modules(folders)
        for finding in check_source(path.read_text("utf-8"), str(path.relative_to(ROOT)))
    ]
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
