"""Apply administrators' decisions to automatic texts and to findings.

An edited text is published while all reviews of its evidence are public, or always if it is locked.
An edited quote is published while a public review contains it. Otherwise the automatic text is
published again. Only public reviews are published as evidence.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from insights.findings import AnalysedReview, Findings, Kind, Opinion
from insights.models import InsightText, Override
from insights.prose.faq import Question
from insights.prose.quotations import Written
from review_analysis.concepts import of_problem
from review_analysis.reading import Label

Decisions = Mapping[tuple[str, str], InsightText]  # By kind and slug.
Records = Mapping[str, AnalysedReview]  # The public reviews.


@dataclass(frozen=True, slots=True)
class Texts:
    """Published texts: summary, quote and answers."""

    summary: Written | None
    pull_quote: Written | None
    questions: Sequence[Question]


def apply_decisions(written: Texts, decisions: Decisions, records: Records) -> Texts:
    """Return the published texts: pinned questions first, added questions last."""
    automatic = {question.slug: question for question in written.questions}
    added = sorted(slug for kind, slug in decisions if kind == "faq" and slug not in automatic)
    questions = [(slug, decisions.get(("faq", slug))) for slug in (*automatic, *added)]
    questions.sort(key=lambda each: not (each[1] and each[1].pinned))
    edited = (
        _edited_question(automatic.get(slug), decision, records) for slug, decision in questions
    )
    return Texts(
        _edited_summary(written.summary, decisions.get(("summary", "")), records),
        _edited_quote(written.pull_quote, decisions.get(("pull_quote", "")), records),
        [question for question in edited if question],
    )


def _edited_summary(
    written: Written | None, decision: InsightText | None, records: Records
) -> Written | None:
    if decision and decision.hidden:
        return None
    if decision and _is_supported(decision, records):
        return Written(decision.text, _public(decision.evidence_ids, records))
    return written


def _edited_quote(
    written: Written | None, decision: InsightText | None, records: Records
) -> Written | None:
    """Return the chosen quote with the public review that contains it."""
    if decision and decision.hidden:
        return None
    if decision and decision.text:
        sources = (ulid for ulid, record in records.items() if decision.text in record.text)
        if source := min(sources, default=None):
            return Written(decision.text, (source,))
    return written


def _edited_question(
    question: Question | None, decision: InsightText | None, records: Records
) -> Question | None:
    """Return the question with its edited words; None if it is hidden or has no words."""
    if decision is None:
        return question
    if decision.hidden:
        return None
    wording = decision.question or (question.question if question else "")
    evidence = question.review_ids if question else ()
    if wording and _is_supported(decision, records):
        shown = _public(decision.evidence_ids, records) or evidence
        return Question(decision.slug, wording, decision.text, shown)
    return replace(question, question=wording) if question else None


def _is_supported(decision: InsightText, records: Records) -> bool:
    evidence = decision.evidence_ids
    is_public = len(_public(evidence, records)) == len(evidence)
    return bool(decision.text) and (decision.locked or is_public)


def _public(ulids: Sequence[str], records: Records) -> tuple[str, ...]:
    return tuple(ulid for ulid in ulids if ulid in records)


# --- Corrections of findings ----------------------------------------------------------------------


CERTAIN = {"positive": 1000, "neutral": 0, "negative": -1000}  # Scores of a correction.


def apply_corrections(findings: Findings, corrections: Iterable[Override]) -> Findings:
    """Return the findings with these corrections."""
    for correction in corrections:
        kind, _, key = correction.path.partition(".")
        if kind == "sentiment":
            label, score = _judged(correction.value, findings.label, findings.score)
            findings = replace(findings, label=label, score=score)
        else:
            findings = _with_opinion(findings, cast("Kind", kind), key, correction.value)
    return findings


def _with_opinion(findings: Findings, kind: Kind, key: str, value: str) -> Findings:
    opinions = {opinion.id: opinion for opinion in findings.opinions(kind)}
    opinion = opinions.pop(key, None) or Opinion(key, findings.label, findings.score)
    if value != "absent":
        if kind == "aspects":
            label, score = _judged(value, opinion.label, opinion.score)
            opinion = opinion._replace(label=label, score=score)
        opinions[key] = opinion._replace(resolved=value == "resolved")
    changed: dict[str, Any] = {kind: tuple(opinions[each] for each in sorted(opinions))}
    if value in {"absent", "positive", "neutral"}:
        names = {key, of_problem(key)}
        changed["complaints"] = tuple(
            each._replace(id="") if each.id in names else each for each in findings.complaints
        )
    if kind == "aspects":
        changed["sentences"] = tuple(
            each._replace(aspects=tuple(other for other in each.aspects if other != key))
            for each in findings.sentences
        )
    return replace(findings, **changed)


def _judged(label: str, found: Label, score: int) -> tuple[Label, int]:
    """Return the label with the score of the analyser if that agrees, or a certain score."""
    return cast("Label", label), score if label == found else CERTAIN[label]
