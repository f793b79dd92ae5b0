"""Precision of quotes as answers to their questions, on labelled sentences.

`tools/analyser/labelled/quotes/` has a table per half: taxonomy, aspect, whether the sentence alone
answers the question about that aspect (`yes`, `no`), and the sentence. Tune rules only on `tuning`.
`businesses/` has all reviews of a business as JSON lines. The first line has taxonomy, name and
roster.
"""

import csv
import datetime as dt
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from insights.aggregate import Aggregate, Names
from insights.findings import AnalysedReview, findings_of
from insights.prose.quotations import aspect_quotes, quotations
from insights.prose.wording import answering_stems
from review_analysis import Analyser
from review_analysis.reading import Label, Reading
from review_analysis.rosters import roster_of
from review_analysis.taxonomies import builtin
from tools.analyser.evaluation.measures import Hits
from tools.analyser.evaluation.precision import LABELLED

QUOTES = LABELLED / "quotes"
BUSINESSES = LABELLED / "businesses"
OFTEN = 15  # Aspects with this many reviews should have a quote.
SIDES: tuple[Label, ...] = ("positive", "negative")
_DAY = dt.date(2026, 1, 1)


@dataclass(slots=True)
class Relevance:
    """Counts over all questions of a table."""

    offered: Hits = field(default_factory=Hits)  # Candidates for a quote.
    first: Hits = field(default_factory=Hits)  # Quotes, one per side.


def relevance(split: str) -> Relevance:
    """Count candidates and quotes of one half."""
    counts = Relevance()
    for (taxonomy, aspect), sentences in _by_question(QUOTES / f"{split}.tsv").items():
        right = [text for text, answers in sentences.items() if answers]
        offered: list[str] = []
        for found in _quoted(taxonomy, aspect, sentences):
            offered += found
            counts.first.count(set(right).intersection(found[:1]), found[:1])
        counts.offered.count(right, offered)
    return counts


def _by_question(path: Path) -> Mapping[tuple[str, str], Mapping[str, bool]]:
    found: dict[tuple[str, str], dict[str, bool]] = defaultdict(dict)
    with path.open(encoding="utf-8", newline="") as lines:
        for taxonomy, aspect, answers, text in csv.reader(lines, delimiter="\t"):
            found[taxonomy, aspect][text] = answers == "yes"
    return found


def _quoted(taxonomy: str, aspect: str, sentences: Mapping[str, bool]) -> Iterator[list[str]]:
    """Yield the candidates for a quote of each side, the best first."""
    content = builtin(taxonomy)
    analyser, sums = Analyser(content), Aggregate(Names.collect(content, roster_of(content, ())))
    for number, text in enumerate(sentences):
        sums.add(_record(number, analyser.read(text), text))
    subject = next((each for each in sums.subjects("aspects") if each.id == aspect), None)
    if subject:
        about = answering_stems(aspect, subject.label)
        for side in SIDES:
            yield [each.text for each in quotations(subject, side, frozenset(), about)]


def _record(number: int, reading: Reading, text: str, **facts: Any) -> AnalysedReview:
    values = {"author": "", "rating": 3, "date": _DAY, "model": ""} | facts
    findings = findings_of(reading, {}, text)
    return AnalysedReview.of(findings, ulid=f"{number:026}", text=text, **values)


def quoted_aspects() -> Iterator[tuple[str, int, int, int]]:
    """Count reviews, frequent aspects, and frequent aspects with a quote, by business."""
    for path in sorted(BUSINESSES.glob("*.jsonl")):
        head, *reviews = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        content = builtin(head["taxonomy"])
        people = roster_of(content, head["roster"])
        analyser, sums = Analyser(content, people), Aggregate(Names.collect(content, people))
        for number, review in enumerate(reviews):
            facts = {key: review[key] for key in ("author", "rating")}
            facts["date"] = dt.date.fromisoformat(review["date"])
            read = analyser.read(review["text"], facts["rating"], facts["date"])
            sums.add(_record(number, read, review["text"], **facts))
        often = {each.id for each in sums.subjects("aspects") if each.count >= OFTEN}
        quoted = {aspect for aspect, _ in aspect_quotes(sums, head["name"])}
        yield path.stem, len(reviews), len(often), len(often & quoted)
