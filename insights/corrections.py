"""Apply administrators' corrections to the findings of an analyser."""

from collections.abc import Iterable
from typing import Protocol, cast

from insights.findings import Findings, Kind, Opinion
from review_analysis.reading import Label

CERTAIN = {"positive": 1000, "neutral": 0, "negative": -1000}


class Correction(Protocol):
    """`insights.models.Override` is one."""

    path: str
    value: str


def corrected(findings: Findings, corrections: Iterable[Correction]) -> Findings:
    """The findings as they are after these corrections."""
    for correction in corrections:
        kind, _, key = correction.path.partition(".")
        if kind == "sentiment":
            label, score = _judged(correction.value, findings.label, findings.score)
            findings = findings._replace(label=label, score=score)
        else:
            findings = _with_opinion(findings, cast("Kind", kind), key, correction.value)
    return findings


def _with_opinion(findings: Findings, kind: Kind, key: str, value: str) -> Findings:
    others = [opinion for opinion in findings.opinions[kind] if opinion.id != key]
    found = [opinion for opinion in findings.opinions[kind] if opinion.id == key]
    opinion = found[0] if found else Opinion(key, findings.label, findings.score)
    if kind == "aspects" and value != "absent":
        label, score = _judged(value, opinion.label, opinion.score)
        opinion = opinion._replace(label=label, score=score)
    if kind == "problems":
        opinion = opinion._replace(resolved=value == "resolved")
    kept = others if value == "absent" else [*others, opinion]
    in_order = tuple(sorted(kept, key=lambda opinion: opinion.id))
    return findings._replace(opinions={**findings.opinions, kind: in_order})


def _judged(label: str, found: Label, score: int) -> tuple[Label, int]:
    """The label with the score that was found for it, or else a certain one."""
    return cast("Label", label), score if label == found else CERTAIN[label]
