"""Answers about places, statuses and columns, saved for later imports."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace

from review_exports.formats.base import fold_name
from review_exports.options import ReadOptions
from reviews.models import Business, ColumnMapping, ImportAnswer

Kind = ImportAnswer.Kind


def save_answers(kind: str, answers: Mapping[str, str]) -> None:
    """Save subject -> answer, each in place of an earlier one."""
    for subject, answer in answers.items():
        # A database may refuse what cannot be printed.
        kept = "".join(filter(str.isprintable, subject))[: ImportAnswer.SUBJECT_MAX]
        ImportAnswer.objects.update_or_create(kind=kind, subject=kept, defaults={"answer": answer})


def apply_answers(options: ReadOptions) -> ReadOptions:
    """The options with the answers for earlier files; those of this file come first."""
    known: dict[str, dict[str, str]] = {kind: {} for kind in Kind.values}
    for answer in ImportAnswer.objects.all():
        known[answer.kind][answer.subject] = answer.answer
    return replace(
        options,
        publication={**known[Kind.PUBLICATION], **options.publication},
        statuses={**known[Kind.STATUS], **options.statuses},
        known_places={fold_name(name): answer for name, answer in known[Kind.PLACE].items()},
        business_name=Business.objects.values_list("name", flat=True).first() or "",
    )


def saved_mapping(*signatures: str) -> dict[str, str]:
    """The mapping saved under the first of these signatures that is known."""
    mappings = ColumnMapping.objects.in_bulk(signatures)
    known = (mappings[one].columns for one in signatures if one in mappings)
    return next(known, {})


def answers_digest() -> str:
    """A hash that differs as soon as any answer does."""
    rows = [*ImportAnswer.objects.order_by("id").values_list("kind", "subject", "answer")]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()
