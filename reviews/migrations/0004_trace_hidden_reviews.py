"""Say of reviews that are hidden already when and why they were, as far as is known."""

from django.db import migrations, models

PORTION = 1_000


def trace_hidden_reviews(apps, schema_editor):
    """Those hidden by hand were marked as edited; the others were absent from a complete file."""
    reviews = apps.get_model("reviews", "Review").objects
    hidden = reviews.filter(hidden=True).order_by("pk").values_list("pk", "edited_fields")
    by_reason = {"other": [], "absent": []}
    for pk, edited_fields in hidden:
        by_reason["other" if "hidden" in edited_fields else "absent"].append(pk)
    for reason, pks in by_reason.items():
        for start in range(0, len(pks), PORTION):
            rows = reviews.filter(pk__in=pks[start : start + PORTION])
            rows.update(hidden_reason=reason, hidden_at=models.F("updated_at"))


class Migration(migrations.Migration):
    dependencies = [("reviews", "0003_deletion_and_hiding")]

    operations = [migrations.RunPython(trace_hidden_reviews, migrations.RunPython.noop)]
