"""Store the language of each text, and fold its quotes, dashes and white space for searches.

Both are derived from the text as the present code derives them, so the code of today is called.
The column has no default and may be null, so SQLite keeps the table of reviews and its triggers
(migration 0002), which bring the indexes of texts up to date here.
"""

from django.db import migrations, models
from django.db.models import Q

from reviews.languages import language_of
from reviews.search.text_index import fold_for_search

PORTION = 1_000


def fill(apps, schema_editor):
    rows = apps.get_model("reviews", "Review").objects.order_by("pk")
    columns = ("pk", "text", "text_language", "text_folded")
    last = 0
    while portion := list(rows.filter(pk__gt=last).values_list(*columns)[:PORTION]):
        last = portion[-1][0]
        languages, folded = [], []
        for pk, text, tag, before in portion:
            languages.append((language_of(text, tag), pk))
            if (after := fold_for_search(text)) != before:
                folded.append((after, pk))
        with schema_editor.connection.cursor() as cursor:
            cursor.executemany("UPDATE reviews_review SET language = %s WHERE id = %s", languages)
            cursor.executemany("UPDATE reviews_review SET text_folded = %s WHERE id = %s", folded)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0005_publication_times")]

    operations = [
        migrations.AddField(
            model_name="review",
            name="language",
            field=models.CharField(blank=True, editable=False, max_length=8, null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RemoveIndex(model_name="review", name="review_newest"),
        migrations.AddIndex(
            model_name="review",
            index=models.Index(
                fields=[
                    "-date",
                    "-ulid",
                    "rating",
                    "source",
                    "language",
                    "reply_date",
                    "modified_at",
                ],
                condition=Q(hidden=False),
                name="review_listed",
            ),
        ),
    ]
