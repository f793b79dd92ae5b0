"""Mark reviews whose text or stars were edited by hand before such edits were told the public."""

import datetime as dt

from django.db import migrations
from django.db.models import F
from django.utils import timezone

TRUE, FALSE = '"verified":true}', '"verified":false}'
MARKED = '"verified":false,"edited_by_business":true}'


def mark_earlier_edits(apps, schema_editor):
    """Of those that were typed in by hand, nothing says what a source had."""
    reviews = apps.get_model("reviews", "Review").objects
    by_hand = {"created_by_batch": None, "changed_by_batch": None, "external_id": F("ulid")}
    edited = reviews.exclude(edited_fields=[]).exclude(**by_hand).order_by("pk")
    marked, now = 0, timezone.now()
    at = now.replace(microsecond=0) + dt.timedelta(seconds=1)
    for pk, fields, fragment in edited.values_list("pk", "edited_fields", "fragment"):
        if {"text", "rating"} & set(fields):
            head = fragment.removesuffix(TRUE).removesuffix(FALSE)
            values = {"alteration": "edited", "verified": False, "fragment": head + MARKED}
            reviews.filter(pk=pk).update(modified_at=at, **values)
            marked += 1
    if marked:
        revision = apps.get_model("reviews", "Revision").objects.filter(name="reviews")
        revision.update(number=F("number") + 1, changed_at=now)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0008_integrity")]

    operations = [migrations.RunPython(mark_earlier_edits, migrations.RunPython.noop)]
