"""Repeated imports of an unchanged file, which are answered without reading it.

What an import does depends on the file, the choices, the reviews, the roster and the business, and
on this package. The revision counts every change of the reviews, roster and business; the others
are compared. Rows that were rejected, edits that were kept and missing reviews are always read
again.
"""

import hashlib
import json

from core.source_digest import source_digest
from review_exports.export import Export
from reviews.imports.answers import answers_digest
from reviews.imports.options import ImportOptions
from reviews.imports.report import Report
from reviews.models import ImportBatch, Review, Revision


def import_fingerprint(export: Export) -> dict[str, object]:
    """Everything that an import depends on beside the file and the options."""
    return {
        "revision": Revision.objects.current(Revision.REVIEWS),
        "reviews": Review.objects.count(),  # Tables may be emptied without raising the revision.
        "program": source_digest("review_exports", "reviews/imports"),
        "answers": answers_digest(),
        "mapping": hashlib.sha256(json.dumps(export.mapping).encode()).hexdigest(),
    }


def reuse_previous_report(
    report: Report, export: Export, earlier: ImportBatch | None, options: ImportOptions
) -> bool:
    """Fill in the report when the same file was imported before with the same fingerprint."""
    if earlier is None or options.complete or earlier.options != options.as_json():
        return False
    if earlier.rejected or earlier.preview.get("conflicts") or earlier.preview.get("deleted"):
        return False
    if earlier.preview.get("circumstances") != import_fingerprint(export):
        return False
    report.skipped_reasons = {
        (reason["code"], reason["message"]): reason["rows"]
        for reason in earlier.preview.get("skipped_reasons", ())
    }
    report.rows, report.unchanged, report.skipped = earlier.rows, earlier.good, earlier.skipped
    return True
