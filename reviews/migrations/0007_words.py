"""Let SQLite know the words of the visible reviews, and which reviews have each.

A needle of letters and digits is in a text when one of its words contains it. So a search looks
for words, of which there are few, and then for their reviews: five times as fast as the phrase of
trigrams, which compares positions in each match. How many reviews have a word is kept beside it, so
that a needle of one word is counted without a look at any. See `reviews.vocabulary`.

`reviews_word` splits texts where most words end, `reviews_review_words` (FTS5, `ascii`) wherever a
character of ASCII is no letter and no digit; the reader of both puts that right.
"""

from django.db import migrations

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


WAS_INDEXED = "OLD.text_folded <> '' AND NOT OLD.hidden"
IS_INDEXED = "NEW.text_folded <> '' AND NOT NEW.hidden"
MOVED = "(OLD.date <> NEW.date OR OLD.rating <> NEW.rating)"
REWORDED = "(OLD.text_folded <> NEW.text_folded OR OLD.hidden <> NEW.hidden)"
OUT = f"""
    INSERT INTO reviews_review_words (reviews_review_words, rowid, text_folded)
    VALUES ('delete', {PLACE.format(row="OLD")}, OLD.text_folded);
"""
IN = f"""
    INSERT INTO reviews_review_words (rowid, text_folded)
    VALUES ({PLACE.format(row="NEW")}, NEW.text_folded);
"""
FORGET = f"""
    UPDATE reviews_word SET reviews = reviews - 1 WHERE word IN (SELECT value FROM {words("OLD")});
    DELETE FROM reviews_word WHERE reviews = 0 AND word IN (SELECT value FROM {words("OLD")});
"""
LEARN = f"""
    INSERT INTO reviews_word (word, reviews)
    SELECT DISTINCT value, 1 FROM {words("NEW")} WHERE value <> ''
    ON CONFLICT (word) DO UPDATE SET reviews = reviews + 1;
"""


def trigger(name, event, condition, *statements):
    return (
        f"CREATE TRIGGER {name} {event}{' WHEN ' + condition if condition else ''}"
        f" BEGIN {''.join(statements)} END"
    )


UPDATE = "UPDATE OF text_folded, hidden, date, rating ON reviews_review"
CHANGED = f"({MOVED} OR {REWORDED})"

SQLITE = [
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
    trigger(
        "reviews_word_insert",
        "AFTER INSERT ON reviews_word",
        "",
        "INSERT INTO reviews_word_trigrams (rowid, word) VALUES (NEW.id, NEW.word);",
    ),
    trigger(
        "reviews_word_delete",
        "AFTER DELETE ON reviews_word",
        "",
        "INSERT INTO reviews_word_trigrams (reviews_word_trigrams, rowid, word)"
        " VALUES ('delete', OLD.id, OLD.word);",
    ),
    trigger(
        "reviews_review_words_insert", "AFTER INSERT ON reviews_review", IS_INDEXED, IN, LEARN
    ),
    trigger(
        "reviews_review_words_delete", "AFTER DELETE ON reviews_review", WAS_INDEXED, OUT, FORGET
    ),
    # In two steps each, since a review can enter or leave the index, or change in it.
    trigger(
        "reviews_review_words_update_out",
        f"BEFORE {UPDATE}",
        f"{WAS_INDEXED} AND {CHANGED}",
        OUT,
    ),
    trigger(
        "reviews_review_words_update_in",
        f"AFTER {UPDATE}",
        f"{IS_INDEXED} AND {CHANGED}",
        IN,
    ),
    # Learnt before others are forgotten, so that a word that stays is not removed in between.
    trigger(
        "reviews_review_words_update_learn",
        f"BEFORE {UPDATE}",
        f"{IS_INDEXED} AND {REWORDED}",
        LEARN,
    ),
    trigger(
        "reviews_review_words_update_forget",
        f"AFTER {UPDATE}",
        f"{WAS_INDEXED} AND {REWORDED}",
        FORGET,
    ),
    f"""
    INSERT INTO reviews_review_words (rowid, text_folded)
    SELECT {PLACE.format(row="r")}, text_folded FROM reviews_review r
    WHERE text_folded <> '' AND NOT hidden ORDER BY 1
    """,
    "INSERT INTO reviews_review_words (reviews_review_words) VALUES ('optimize')",
]
# In portions, for SQLite sorts the words of each in memory.
PORTION = 20_000
LIST = f"""
    INSERT INTO reviews_word (word, reviews)
    SELECT value, count(DISTINCT r.id) FROM reviews_review r, {words("r")}
    WHERE r.id > %s AND r.id <= %s AND NOT r.hidden AND value <> '' GROUP BY value
    ON CONFLICT (word) DO UPDATE SET reviews = reviews + excluded.reviews
"""


def forwards(apps, schema_editor):
    if schema_editor.connection.vendor != "sqlite":
        return
    for statement in SQLITE:
        schema_editor.execute(statement)
    newest = apps.get_model("reviews", "Review").objects.order_by("-pk").first()
    for start in range(0, newest.pk if newest else 0, PORTION):
        schema_editor.execute(LIST, [start, start + PORTION])


class Migration(migrations.Migration):
    dependencies = [("reviews", "0006_whole_trigrams")]

    operations = [migrations.RunPython(forwards)]
