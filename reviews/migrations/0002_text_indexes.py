"""Index what reviews say, so that a search reads few rows or none. Why so: decision 18.

**SQLite** keeps, of the visible reviews with a text and by triggers,

- the place of each trigram (`reviews_review_trigrams`, FTS5): a needle is a phrase of them;
- which reviews have each word (`reviews_review_words`, FTS5), all words with the number of their
  reviews (`reviews_word`), and the trigrams of these (`reviews_word_trigrams`, FTS5).

None holds a text (`content=''`). The `rowid` of both indexes of reviews is a review's place, which
tells its day and its stars; see `reviews.search.packed_rowids`, written out here, since a migration stays as it
was. Texts are split into words here where most words end and by FTS5 (`ascii`) wherever a character
of ASCII is no letter and no digit; `reviews.search.words`, which reads both, puts that right. Reviews
in `reviews_set_aside` are passed over; `reviews.search.index` indexes them together. A write buffer of
64 MB instead of 1 (`hashsize`) saves half of what FTS5 takes of an import of 100,000, whose index is
then in one piece at once.

A later migration that makes Django rebuild the table of reviews loses the triggers with it and must
make them again.

**PostgreSQL** has an index of trigrams (`pg_trgm`) of all reviews: it never ANDs two partial indexes
with the same condition, and so would look up a common word within some days in all days. It combines
them where it knows how common the word is, which it reads off a sample of the texts: with 100 (the
default) it guesses as soon as one is too long to be kept.
"""

from django.db import migrations

INDEXES = ("reviews_review_trigrams", "reviews_review_words")
PLACE = (
    "(CAST(julianday({row}.date) - 1721424.5 AS INTEGER) << 41) | ({row}.id << 3) | {row}.rating"
)
ENDS_OF_WORDS = "\n.,!?\"'():;-/"


def words(row):
    """The parts of a text, as rows of `value`."""
    text = f"{row}.text_folded"
    for sign in ENDS_OF_WORDS:
        text = f"replace({text}, char({ord(sign)}), ' ')"
    return f"json_each('[' || replace(json_quote({text}), ' ', '\",\"') || ']')"


OUT = "".join(
    f"""
    INSERT INTO {index} ({index}, rowid, text_folded)
    VALUES ('delete', {PLACE.format(row="OLD")}, OLD.text_folded);
    """
    for index in INDEXES
)
IN = "".join(
    f"""
    INSERT INTO {index} (rowid, text_folded)
    VALUES ({PLACE.format(row="NEW")}, NEW.text_folded);
    """
    for index in INDEXES
)
FORGET = f"""
    UPDATE reviews_word SET reviews = reviews - 1 WHERE word IN (SELECT value FROM {words("OLD")});
    DELETE FROM reviews_word WHERE reviews = 0 AND word IN (SELECT value FROM {words("OLD")});
"""
LEARN = f"""
    INSERT INTO reviews_word (word, reviews)
    SELECT DISTINCT value, 1 FROM {words("NEW")} WHERE value <> ''
    ON CONFLICT (word) DO UPDATE SET reviews = reviews + 1;
"""
ASIDE = "id NOT IN (SELECT id FROM reviews_set_aside)"
WAS_INDEXED = f"OLD.text_folded <> '' AND NOT OLD.hidden AND OLD.{ASIDE}"
IS_INDEXED = f"NEW.text_folded <> '' AND NOT NEW.hidden AND NEW.{ASIDE}"
MOVED = "(OLD.date <> NEW.date OR OLD.rating <> NEW.rating)"
REWORDED = "(OLD.text_folded <> NEW.text_folded OR OLD.hidden <> NEW.hidden)"
CHANGED = f"({MOVED} OR {REWORDED})"
UPDATE = "UPDATE OF text_folded, hidden, date, rating ON reviews_review"


def trigger(name, event, condition, *statements):
    return (
        f"CREATE TRIGGER reviews_review_{name} {event} WHEN {condition}"
        f" BEGIN {''.join(statements)} END"
    )


SQLITE = [
    """
    CREATE VIRTUAL TABLE reviews_review_trigrams USING fts5(
        text_folded, content='', tokenize='trigram case_sensitive 1', detail=full, columnsize=0
    )
    """,
    "INSERT INTO reviews_review_trigrams (reviews_review_trigrams, rank) VALUES ('hashsize', 67108864)",
    """
    CREATE VIRTUAL TABLE reviews_review_words USING fts5(
        text_folded, content='', tokenize='ascii', detail=none, columnsize=0
    )
    """,
    """
    CREATE TABLE reviews_word (
        id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE, reviews INTEGER NOT NULL
    )
    """,
    """
    CREATE VIRTUAL TABLE reviews_word_trigrams USING fts5(
        word, content='', tokenize='trigram case_sensitive 1', columnsize=0
    )
    """,
    "CREATE TABLE reviews_set_aside (id INTEGER PRIMARY KEY)",
    """
    CREATE TRIGGER reviews_word_insert AFTER INSERT ON reviews_word
    BEGIN
        INSERT INTO reviews_word_trigrams (rowid, word) VALUES (NEW.id, NEW.word);
    END
    """,
    """
    CREATE TRIGGER reviews_word_delete AFTER DELETE ON reviews_word
    BEGIN
        INSERT INTO reviews_word_trigrams (reviews_word_trigrams, rowid, word)
        VALUES ('delete', OLD.id, OLD.word);
    END
    """,
    trigger("indexed", "AFTER INSERT ON reviews_review", IS_INDEXED, IN, LEARN),
    trigger("unindexed", "AFTER DELETE ON reviews_review", WAS_INDEXED, OUT, FORGET),
    # In two steps each, since a review can enter or leave the indexes, or change in them.
    trigger("out", f"BEFORE {UPDATE}", f"{WAS_INDEXED} AND {CHANGED}", OUT),
    trigger("in", f"AFTER {UPDATE}", f"{IS_INDEXED} AND {CHANGED}", IN),
    # Learnt before others are forgotten, so that a word that stays is not removed in between.
    trigger("learnt", f"BEFORE {UPDATE}", f"{IS_INDEXED} AND {REWORDED}", LEARN),
    trigger("forgotten", f"AFTER {UPDATE}", f"{WAS_INDEXED} AND {REWORDED}", FORGET),
]
POSTGRESQL = [
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX review_text_trigrams ON reviews_review USING gin (text_folded gin_trgm_ops)",
    "ALTER TABLE reviews_review ALTER COLUMN text_folded SET STATISTICS 200",
]


def forwards(apps, schema_editor):
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    for statement in POSTGRESQL if is_postgresql else SQLITE:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0001_initial")]

    operations = [migrations.RunPython(forwards)]
