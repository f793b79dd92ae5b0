"""Import tables of reviews through the services."""

import io

from imports import services
from imports.models import ImportBatch, ImportOptions
from reviews.models import Review, Revision

HEADING = "id,author,rating,date,text,source,url,owner_reply,owner_reply_date"
ROWS = [
    "g-1,Dana R.,5,2026-03-14,Maren was quick.,google,https://maps.example/1,Thanks!,2026-03-15",
    "g-2,Ivo B.,4,2026-03-13,Good work.,google,,,",
    "g-3,Lena O.,3,2026-03-12,,google,,,",
]
BAD = "g-9,Bad,0,2026-03-01,Bad stars.,google,,,"
ACCEPTED = ImportOptions(accept=True)  # As if a person has confirmed the columns.
COMPLETE = ImportOptions(accept=True, complete=True)
State = ImportBatch.State


def table(*rows: str, heading: str = HEADING) -> bytes:
    return "\n".join([heading, *rows]).encode()


def load(content: bytes, *, options: ImportOptions | None = None, **kwargs):
    return services.import_file(
        io.BytesIO(content), file_name="r.csv", options=options or ACCEPTED, **kwargs
    )


def counts(report) -> tuple[int, ...]:
    return (report.new, report.changed, report.unchanged, report.skipped, report.rejected)


def published() -> list[str]:
    return list(Review.objects.visible().newest_first().values_list("fragment", flat=True))


def revision() -> int:
    return Revision.objects.current(Revision.REVIEWS)


def upload(content: bytes, **options) -> ImportBatch:
    accepted = ImportOptions(**{"accept": True, **options})
    return services.upload(content, file_name="r.csv", options=accepted, by=None)


def undo(batch: ImportBatch) -> dict[str, int]:
    """Undo an import. Return how many reviews were deleted, restored and kept."""
    services.undo(batch)
    batch.refresh_from_db()
    return dict(batch.preview["undone"])
