"""Removal of forgotten authors from stored imports."""

from typing import Any

from django.dispatch import receiver

from imports.models import ImportBatch, ImportChange
from reviews.forgetting import CHUNK, PERSONAL_FIELDS
from reviews.models.deletion import name_digest
from reviews.published_json import ANONYMOUS
from reviews.signals import author_forgotten


@receiver(author_forgotten)
def remove_traces(review_ids: list[int], names: list[str], **kwargs: Any) -> None:
    """Remove the author from stored changes, previews and row errors."""
    for start in range(0, len(review_ids), CHUNK):
        changes = ImportChange.objects.filter(review__in=review_ids[start : start + CHUNK])
        for change in changes:
            for values in (change.before, change.after):
                for field in PERSONAL_FIELDS:
                    values.pop(field, None)
            change.save(update_fields=["before", "after"])
    digests = {name_digest(name) for name in names}
    for batch in ImportBatch.objects.only("preview", "errors").iterator(CHUNK):
        preview, errors = _without(batch.preview, digests), _without(batch.errors, digests)
        if (preview, errors) != (batch.preview, batch.errors):
            batch.preview, batch.errors = preview, errors
            batch.save(update_fields=["preview", "errors"])


def _without(value: Any, digests: set[str]) -> Any:
    """Replace texts in JSON that equal one of these names."""
    if isinstance(value, dict):
        return {_without(key, digests): _without(item, digests) for key, item in value.items()}
    if isinstance(value, list):
        return [_without(item, digests) for item in value]
    is_name = isinstance(value, str) and 0 < len(value) <= 200 and name_digest(value) in digests
    return ANONYMOUS if is_name else value
