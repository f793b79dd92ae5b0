"""Read labelled datasets; their formats are recognised by content."""

import ast
import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import demo
from insights import statistics
from review_analysis.reading import Label
from review_analysis.taxonomies import VERTICALS, builtin
from tools.analyser.evaluation.examples import (
    LabelledSet,
    ReviewExample,
    TargetExample,
    TextExample,
)
from tools.analyser.training.datasets import detokenize
from tools.demo_reviews import generate

LABELS: Mapping[str, Label] = {label: label for label in statistics.LABELS}
TRAINED_ON = "trained on"
MOSTLY = 0.95
NEUTRAL_BELOW = 0.4  # Of a mean rating from -4 to 4.


def read_folder(folder: Path) -> Iterator[LabelledSet]:
    """Read every labelled set in the folder, ordered by name; other files are ignored."""
    for path in sorted(folder.iterdir()):
        if path.is_file() and (labelled := read_file(path)) is not None:
            yield labelled


def read_file(path: Path) -> LabelledSet | None:
    """Read the labelled set in a file; None if the format is unknown."""
    try:
        content = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        return None
    for read in READERS:
        labelled = read(content)
        if labelled is not None:
            labelled.name = path.stem
            if "train" in path.stem:
                labelled.note = TRAINED_ON
            return labelled
    return None


# --- XML: SemEval-2014 task 4, MAMS, SemEval-2016 task 5 ------------------------------------------


def _xml(content: str) -> LabelledSet | None:
    if not content.lstrip().startswith("<"):
        return None
    try:
        root = ET.fromstring(content)  # noqa: S314 - a file of the developer's own
    except ET.ParseError:
        return None
    labelled = LabelledSet("", taxonomy=builtin("restaurant"))
    for sentence in root.iter("sentence"):
        text = sentence.findtext("text") or ""
        terms = [*sentence.iter("aspectTerm"), *sentence.iter("Opinion")]
        labelled.targets += _terms(text, [term.attrib for term in terms])
    return labelled if labelled.targets else None


def _terms(text: str, terms: Sequence[Mapping[str, str]]) -> Iterator[TargetExample]:
    spans = [
        ((int(term.get("from", 0)), int(term.get("to", 0))), term.get("polarity", ""))
        for term in terms
    ]
    for (start, end), label in _agreed(spans).items():
        if text[start:end].strip():  # An implicit target has an empty span.
            yield TargetExample(text, text[start:end], start, label)


def _agreed(pairs: Iterable[tuple[Any, str]]) -> dict[Any, Label]:
    """Return labels by target, without targets that have conflicting labels."""
    found: dict[Any, set[str]] = {}
    for target, label in pairs:
        found.setdefault(target, set()).add(label)
    return {
        target: LABELS[min(labels)]
        for target, labels in found.items()
        if len(labels) == 1 and labels <= LABELS.keys()
    }


# --- ROAST: text####[[target, category, sentiment, opinion], ...] ---------------------------------


def _roast(content: str) -> LabelledSet | None:
    lines = [line.rpartition("####") for line in _lines(content)]
    if not lines or not all(mark and labels.lstrip().startswith("[") for _, mark, labels in lines):
        return None
    labelled = LabelledSet("", note="stars from the share of good opinions")
    for text, _, labels in lines:
        quadruples = ast.literal_eval(labels.strip())
        labelled.targets += _roast_targets(detokenize(text), quadruples)
    return labelled


def _roast_targets(text: str, quadruples: Sequence[Sequence[str]]) -> Iterator[TargetExample]:
    opinions = Counter(sentiment for _, _, sentiment, _ in quadruples)
    good, bad = opinions["positive"], opinions["negative"]
    rating = 1 + round(4 * good / (good + bad)) if good + bad else 3
    targets = ((detokenize(target), sentiment) for target, _, sentiment, _ in quadruples)
    for term, label in _agreed(targets).items():
        if re.search(rf"(?<!\w){re.escape(term)}(?!\w)", text, re.IGNORECASE):
            yield TargetExample(text, term, None, label, rating)


# --- JSON: TSA-MD, labels of a demo ---------------------------------------------------------------


def _json(content: str) -> LabelledSet | None:
    if content.lstrip()[:1] not in {"[", "{"}:
        return None
    try:
        data = json.loads(content)
    except ValueError:
        return None
    match data:
        case [{"text": str(), "targets": list()}, *_]:
            return LabelledSet("", targets=[t for entry in data for t in _tsa_targets(entry)])
        case {"business": str(), "seed": int(), "end": str(), "reviews": dict()}:
            return _demo(data)
    return None


def _tsa_targets(entry: Mapping[str, Any]) -> Iterator[TargetExample]:
    text = entry["text"]
    for target in entry["targets"]:
        if label := LABELS.get(target["sentiment"]):
            start, end = target["location"]["begin"], target["location"]["end"]
            yield TargetExample(text, text[start:end], start, label)


def _demo(data: Mapping[str, Any]) -> LabelledSet:
    """Generate the texts again from the seed, since the file holds only their labels."""
    truths = data["reviews"]
    end = dt.date.fromisoformat(data["end"])
    labelled = LabelledSet(
        "",
        taxonomy=builtin("home_services"),
        roster=[
            {"id": person.slug, "name": person.name, "aliases": list(person.aliases)}
            for person in demo.technicians(*demo.span(end))
        ],
    )
    for review in generate(len(truths), data["seed"], end):
        truth = truths[review.ulid]
        if truth["kind"] != "plain":
            continue
        aspects = [(said["aspect"], said["polarity"]) for said in truth["aspects"]]
        labelled.reviews.append(
            ReviewExample(
                review.text,
                review.rating,
                aspects=_agreed(aspects),
                people=frozenset(truth["technicians"]),
                sentiment=LABELS.get(truth["sentiment"]),
            )
        )
    return labelled


# --- JSON lines: reviews --------------------------------------------------------------------------

# Problems that were added to taxonomies after the reviews had been labelled.
_LATER = {
    "generic": {"overpriced", "dirty-premises"},
    "restaurant": {"overpriced", "noise", "poor-food"},
    "retail": {"overpriced", "dirty-premises"},
    "hotel": {"overpriced", "small-room"},
    "fitness": {"noise", "temperature", "unreachable"},
}


def _json_lines(content: str) -> LabelledSet | None:
    """Read a review per line; a first line without text may have a taxonomy and a roster."""
    try:
        lines = [json.loads(line) for line in _lines(content)]
    except ValueError:
        return None
    if not lines or not all(isinstance(line, dict) for line in lines):
        return None
    head = {} if "text" in lines[0] else lines.pop(0)
    if not lines or not all(isinstance(line.get("text"), str) for line in lines):
        return None
    taxonomy = _taxonomy(head.get("taxonomy", "generic"))
    labelled = LabelledSet("", taxonomy=taxonomy, roster=head.get("roster", []))
    for line in lines:
        labelled.reviews.append(_review(line))
        for said in line.get("aspects") or ():
            if "term" in said and said["label"] in LABELS:
                labelled.targets.append(
                    TargetExample(
                        line["text"], said["term"], None, LABELS[said["label"]], line.get("rating")
                    )
                )
    return labelled


def _taxonomy(given: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a taxonomy, or load one by name without problems that are newer than the labels."""
    if not isinstance(given, str):
        return given
    taxonomy = builtin(given) if given in VERTICALS else {"problems": ()}
    later = _LATER.get(given, set())
    return taxonomy | {
        "problems": [each for each in taxonomy["problems"] if each["id"] not in later]
    }


def _review(line: Mapping[str, Any]) -> ReviewExample:
    people, problems = line.get("people"), line.get("problems")
    aspects = line.get("aspects")
    has_ids = aspects is not None and all("id" in said for said in aspects)
    return ReviewExample(
        line["text"],
        line.get("rating"),
        aspects=_agreed((said["id"], said["label"]) for said in aspects or ()) if has_ids else None,
        people=None if people is None else frozenset(people),
        problems=None
        if problems is None
        else {found["id"]: bool(found.get("resolved")) for found in problems},
        sentiment=LABELS.get(line.get("sentiment", "")),
    )


# --- Tab-separated texts --------------------------------------------------------------------------


def _tab_separated(content: str) -> LabelledSet | None:
    """Read texts with 0 or 1, or ids with mean ratings and texts; a few lines may be neither."""
    lines = _lines(content)
    judged = [line.rpartition("\t") for line in lines]
    texts = [
        TextExample(text, "positive" if label.strip() == "1" else "negative")
        for text, tab, label in judged
        if tab and label.strip() in {"0", "1"}
    ]
    if texts and len(texts) >= MOSTLY * len(lines):
        return LabelledSet("", texts=texts)
    rated = [row for line in lines if len(row := line.split("\t", 2)) == 3 and _is_number(row[1])]
    if rated and len(rated) >= MOSTLY * len(lines):
        # Training uses the other nine of ten lines.
        texts = [TextExample(text, _rated(float(rating))) for _, rating, text in rated[9::10]]
        return LabelledSet("", note="every tenth line", texts=texts)
    return None


def _lines(content: str) -> list[str]:
    """Split into lines that are not blank; `splitlines` would break at other characters too."""
    return [line for line in content.replace("\r\n", "\n").split("\n") if line.strip()]


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+(?:\.\d+)?", text.strip()) is not None


def _rated(rating: float) -> Label:
    if abs(rating) < NEUTRAL_BELOW:
        return "neutral"
    return "positive" if rating > 0 else "negative"


READERS: Sequence[Callable[[str], LabelledSet | None]] = (
    _xml,
    _roast,
    _json,
    _json_lines,
    _tab_separated,
)
