"""Let replies stand without a day, and keep the stars that the source of an edited review gives.

SQLite rebuilds the table of reviews for that, without its triggers; they are made again.
"""

from django.db import migrations, models
from django.db.models import Q

OUT = """
    INSERT INTO reviews_text_trigrams (reviews_text_trigrams, rowid, text_folded)
    VALUES ('delete', OLD.id, OLD.text_folded);
"""
IN = "INSERT INTO reviews_text_trigrams (rowid, text_folded) VALUES (NEW.id, NEW.text_folded);"
WAS_INDEXED = "OLD.text_folded <> '' AND NOT OLD.hidden"
IS_INDEXED = "NEW.text_folded <> '' AND NOT NEW.hidden"
CHANGED = "(OLD.text_folded <> NEW.text_folded OR OLD.hidden <> NEW.hidden)"
UPDATE = "UPDATE OF text_folded, hidden"
TRIGGERS = {
    "insert": ("AFTER INSERT", IS_INDEXED, IN),
    "delete": ("AFTER DELETE", WAS_INDEXED, OUT),
    "out": (f"BEFORE {UPDATE}", f"{WAS_INDEXED} AND {CHANGED}", OUT),
    "in": (f"AFTER {UPDATE}", f"{IS_INDEXED} AND {CHANGED}", IN),
}


def make_triggers(apps, schema_editor):
    if schema_editor.connection.vendor != "sqlite":
        return
    for name, (event, condition, statement) in TRIGGERS.items():
        schema_editor.execute(
            f"CREATE TRIGGER reviews_text_{name} {event} ON reviews_review"
            f" WHEN {condition} BEGIN {statement} END"
        )


def mark_replies(apps, schema_editor):
    apps.get_model("reviews", "Review").objects.exclude(reply_text="").update(has_reply=True)


def listed(*columns):
    return models.Index(
        fields=["-date", "-ulid", *columns], condition=Q(hidden=False), name="review_listed"
    )


class Migration(migrations.Migration):
    dependencies = [("reviews", "0001_squashed_0020_visits")]

    operations = [
        migrations.RunPython(migrations.RunPython.noop, make_triggers),
        migrations.RemoveConstraint("review", "review_reply_is_whole"),
        migrations.AddConstraint(
            "review",
            models.CheckConstraint(
                condition=Q(reply_date__isnull=True) | ~Q(reply_text=""),
                name="review_reply_date_has_text",
            ),
        ),
        migrations.AlterField(
            "review",
            "reply_date",
            models.DateField(
                null=True, blank=True, help_text="Empty where the source does not tell the day."
            ),
        ),
        migrations.AddField(
            "review",
            "has_reply",
            models.BooleanField(default=False, db_default=False, editable=False),
        ),
        migrations.RunPython(mark_replies, migrations.RunPython.noop),
        migrations.AddField(
            "review",
            "source_rating",
            models.PositiveSmallIntegerField(null=True, blank=True, editable=False),
        ),
        migrations.RemoveIndex("review", "review_listed"),
        migrations.AddIndex(
            "review",
            listed(
                *("rating", "source_rating", "source", "language"),
                *("has_reply", "modified_at", "hidden"),
            ),
        ),
        migrations.RunPython(make_triggers, migrations.RunPython.noop),
    ]
