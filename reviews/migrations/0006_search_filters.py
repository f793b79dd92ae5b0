"""Add the language of each text, and fold its quotes, dashes and white space for searches.

The language of a text that is there already stays null until its row is written next. The column
has no default and may be null, so SQLite keeps the table of reviews and its triggers (migration
0002), which bring the indexes of texts up to date here.
"""

import re

from django.db import migrations, models
from django.db.models import Q

PORTION = 1_000
# Quotes and dashes of phones and word processors, by those of a keyboard.
TYPED = str.maketrans(
    {
        **dict.fromkeys(
            "\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201a\u201b\u2032\u2039\u203a\uff07", "'"
        ),
        **dict.fromkeys(
            "\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033\u301d\u301e\u301f\uff02", '"'
        ),
        **dict.fromkeys(
            "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d", "-"
        ),
    }
)


def fill(apps, schema_editor):
    rows = apps.get_model("reviews", "Review").objects.order_by("pk")
    rows.filter(text="").update(language="")
    last = 0
    while portion := list(rows.filter(pk__gt=last).values_list("pk", "text_folded")[:PORTION]):
        last = portion[-1][0]
        for pk, before in portion:
            folded = re.sub(r"\s+", " ", before.translate(TYPED))
            if folded != before:
                rows.filter(pk=pk).update(text_folded=folded)


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
