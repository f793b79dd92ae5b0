"""Let SQLite's triggers pass over the reviews that are set aside, to be indexed together.

See `reviews.text_index`. Both indexes of texts and the list of words follow by the same triggers
now, and these differ from those before in one condition alone.
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
    "CREATE TABLE reviews_set_aside (id INTEGER PRIMARY KEY)",
    *(
        f"DROP TRIGGER {index}_{event}"
        for index in INDEXES
        for event in ("insert", "delete", "update_out", "update_in")
    ),
    "DROP TRIGGER reviews_review_words_update_learn",
    "DROP TRIGGER reviews_review_words_update_forget",
    trigger("indexed", "AFTER INSERT ON reviews_review", IS_INDEXED, IN, LEARN),
    trigger("unindexed", "AFTER DELETE ON reviews_review", WAS_INDEXED, OUT, FORGET),
    # In two steps each, since a review can enter or leave the indexes, or change in them.
    trigger("out", f"BEFORE {UPDATE}", f"{WAS_INDEXED} AND {CHANGED}", OUT),
    trigger("in", f"AFTER {UPDATE}", f"{IS_INDEXED} AND {CHANGED}", IN),
    # Learnt before others are forgotten, so that a word that stays is not removed in between.
    trigger("learnt", f"BEFORE {UPDATE}", f"{IS_INDEXED} AND {REWORDED}", LEARN),
    trigger("forgotten", f"AFTER {UPDATE}", f"{WAS_INDEXED} AND {REWORDED}", FORGET),
]


def forwards(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        for statement in SQLITE:
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0007_words")]

    operations = [migrations.RunPython(forwards)]
