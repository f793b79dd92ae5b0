"""Index the folded texts by trigrams, so that a search for a rare word reads few rows.

SQLite keeps an FTS5 table beside the reviews, by triggers. It holds neither the texts (`content=`)
nor positions (`detail=none`) nor sizes, since every candidate is compared with the needle anyway.
That makes it a quarter of the full index in size and twice as fast to write; a write buffer of 32 MB
instead of 1 (`hashsize`) saves a third of the remaining cost of a large import. A later migration
that makes Django rebuild the table of reviews loses the triggers with it and must make them again.
"""

from django.db import migrations

SQLITE = [
    """
    CREATE VIRTUAL TABLE reviews_review_trigrams USING fts5(
        text_folded, content='reviews_review', content_rowid='id',
        tokenize='trigram case_sensitive 1', detail=none, columnsize=0
    )
    """,
    """
    CREATE TRIGGER reviews_review_trigrams_insert AFTER INSERT ON reviews_review
    WHEN NEW.text_folded <> ''
    BEGIN
        INSERT INTO reviews_review_trigrams (rowid, text_folded) VALUES (NEW.id, NEW.text_folded);
    END
    """,
    """
    CREATE TRIGGER reviews_review_trigrams_delete AFTER DELETE ON reviews_review
    WHEN OLD.text_folded <> ''
    BEGIN
        INSERT INTO reviews_review_trigrams (reviews_review_trigrams, rowid, text_folded)
        VALUES ('delete', OLD.id, OLD.text_folded);
    END
    """,
    """
    CREATE TRIGGER reviews_review_trigrams_update AFTER UPDATE OF text_folded ON reviews_review
    WHEN NEW.text_folded <> OLD.text_folded
    BEGIN
        INSERT INTO reviews_review_trigrams (reviews_review_trigrams, rowid, text_folded)
        VALUES ('delete', OLD.id, OLD.text_folded);
        INSERT INTO reviews_review_trigrams (rowid, text_folded) VALUES (NEW.id, NEW.text_folded);
    END
    """,
    "INSERT INTO reviews_review_trigrams (reviews_review_trigrams, rank) VALUES ('hashsize', 33554432)",
    "INSERT INTO reviews_review_trigrams (reviews_review_trigrams) VALUES ('rebuild')",
]
SQLITE_BACK = [
    "DROP TRIGGER IF EXISTS reviews_review_trigrams_insert",
    "DROP TRIGGER IF EXISTS reviews_review_trigrams_delete",
    "DROP TRIGGER IF EXISTS reviews_review_trigrams_update",
    "DROP TABLE IF EXISTS reviews_review_trigrams",
]

POSTGRESQL = [
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX review_text_trigrams ON reviews_review"
    " USING gin (text_folded gin_trgm_ops) WHERE NOT hidden",
]
POSTGRESQL_BACK = ["DROP INDEX IF EXISTS review_text_trigrams"]


def forwards(apps, schema_editor):
    run(schema_editor, SQLITE, POSTGRESQL)


def backwards(apps, schema_editor):
    run(schema_editor, SQLITE_BACK, POSTGRESQL_BACK)


def run(schema_editor, sqlite, postgresql):
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    for statement in postgresql if is_postgresql else sqlite:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0001_initial")]

    operations = [migrations.RunPython(forwards, backwards)]
