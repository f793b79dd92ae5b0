"""Keep one index of texts on SQLite, by the review's key, in place of two with a list of words.

`reviews_text_trigrams` (FTS5) has the trigrams of visible texts with their positions, and no text.
Triggers keep it: a later migration that makes Django rebuild the table of reviews must make them
again. PostgreSQL keeps its index of migration 0002.
"""

from django.db import migrations

DROPPED_TRIGGERS = (
    "reviews_word_insert", "reviews_word_delete", "reviews_review_indexed",
    "reviews_review_unindexed", "reviews_review_out", "reviews_review_in",
    "reviews_review_learnt", "reviews_review_forgotten",
)  # fmt: skip
DROPPED_TABLES = (
    "reviews_word_trigrams", "reviews_word", "reviews_review_words", "reviews_review_trigrams",
    "reviews_set_aside",
)  # fmt: skip

OUT = """
    INSERT INTO reviews_text_trigrams (reviews_text_trigrams, rowid, text_folded)
    VALUES ('delete', OLD.id, OLD.text_folded);
"""
IN = "INSERT INTO reviews_text_trigrams (rowid, text_folded) VALUES (NEW.id, NEW.text_folded);"
WAS_INDEXED = "OLD.text_folded <> '' AND NOT OLD.hidden"
IS_INDEXED = "NEW.text_folded <> '' AND NOT NEW.hidden"
CHANGED = "(OLD.text_folded <> NEW.text_folded OR OLD.hidden <> NEW.hidden)"
UPDATE = "UPDATE OF text_folded, hidden ON reviews_review"

STATEMENTS = [
    """
    CREATE VIRTUAL TABLE reviews_text_trigrams USING fts5(
        text_folded, content='', tokenize='trigram case_sensitive 1', columnsize=0
    )
    """,
    "INSERT INTO reviews_text_trigrams (rowid, text_folded)"
    " SELECT id, text_folded FROM reviews_review WHERE text_folded <> '' AND NOT hidden"
    " ORDER BY id",
    f"CREATE TRIGGER reviews_text_insert AFTER INSERT ON reviews_review WHEN {IS_INDEXED}"
    f" BEGIN {IN} END",
    f"CREATE TRIGGER reviews_text_delete AFTER DELETE ON reviews_review WHEN {WAS_INDEXED}"
    f" BEGIN {OUT} END",
    # In two steps, since a review can enter or leave the index, or change in it.
    f"CREATE TRIGGER reviews_text_out BEFORE {UPDATE} WHEN {WAS_INDEXED} AND {CHANGED}"
    f" BEGIN {OUT} END",
    f"CREATE TRIGGER reviews_text_in AFTER {UPDATE} WHEN {IS_INDEXED} AND {CHANGED}"
    f" BEGIN {IN} END",
]


def forwards(apps, schema_editor):
    if schema_editor.connection.vendor != "sqlite":
        return
    for trigger in DROPPED_TRIGGERS:
        schema_editor.execute(f"DROP TRIGGER {trigger}")
    for table in DROPPED_TABLES:
        schema_editor.execute(f"DROP TABLE {table}")
    for statement in STATEMENTS:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0012_forgotten_people_names")]

    operations = [migrations.RunPython(forwards)]
