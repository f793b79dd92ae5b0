"""Effects of an incoming record on the stored review."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imports.merge import FIELDS, Change, Rules, decide, incoming_values
from imports.records import Record
from imports.writer import assign
from reviews.models import Review


def record(**fields) -> Record:
    values = {
        "row": 2,
        "source": "google",
        "external_id": "g-1",
        "external_id_is_synthetic": False,
        "author": "Dana R.",
        "rating": 5,
        "date": dt.date(2026, 3, 14),
        "text": "Quick and tidy work.",
    }
    return Record(**(values | fields))


def stored(like: Record | None = None, *, edited=(), verified=False, **fields) -> Review:
    like = like or record(**fields)
    values = incoming_values(like, verified=verified)
    return Review(ulid="01JWN0000000000000000000AA", edited_fields=list(edited), **values)


def changed_fields(change: Change | None) -> dict[str, tuple]:
    return {name: (before, after) for name, before, after in change.differences()} if change else {}


TEXT = "Quick and tidy work."
NOON = dt.datetime(2026, 3, 14, 12, tzinfo=dt.UTC)
LATER = NOON + dt.timedelta(seconds=1)
DAY, NEXT = dt.date(2026, 3, 15), dt.date(2026, 3, 16)
REPLY = {"reply_text": "Thank you!", "reply_date": DAY}
RASK = {"text": "Rask.", "translated_text": "Quick.", "text_language": "no"}
BLOB = "(Translated by Google) Quick.\n\n(Original)\nRask."
EXCERPT, TRANSLATION = {"notes": ("text_is_excerpt",)}, {"notes": ("text_is_translation",)}
# Extra values that another export lacks.
RICH = {
    "author_avatar_url": "https://maps.example/a.jpg",
    "source_url": "https://maps.example/r/1",
    "translated_text": "Rapide.",
    "text_language": "en",
    "named_technicians": ("Maren Holt",),
}


@pytest.mark.parametrize(
    ("before", "incoming", "rules", "changes"),
    [
        ({}, {}, {}, {}),
        ({}, {"rating": 4, "text": "Slow."}, {}, {"rating": (5, 4), "text": (TEXT, "Slow.")}),
        (REPLY, {}, {}, {"reply_text": ("Thank you!", ""), "reply_date": (DAY, None)}),
        (REPLY, {"reply_text": "Thank you!"}, {}, {}),
        (
            REPLY,
            {"reply_text": "Thanks!"},
            {},
            {"reply_text": ("Thank you!", "Thanks!"), "reply_date": (DAY, None)},
        ),
        (
            REPLY,
            {"reply_text": "Thank you!", "reply_date": NEXT},
            {"provided_fields": frozenset({"reply_text", "reply_date"})},
            {"reply_date": (DAY, NEXT)},
        ),
        # A field without a column keeps its value.
        (
            REPLY,
            {"author": "Anonymous", "rating": 4},
            {"provided_fields": frozenset({"rating", "date", "text"})},
            {"rating": (5, 4)},
        ),
        (RICH, {}, {}, {}),
        (
            RASK,
            {"text": "Grei."},
            {},
            {
                "text": ("Rask.", "Grei."),
                "translated_text": ("Quick.", ""),
                "text_language": ("no", ""),
            },
        ),
        (
            {"text": BLOB},
            {"text": "Rask.", "translated_text": "Quick."},
            {},
            {"text": (BLOB, "Rask."), "translated_text": ("", "Quick.")},
        ),
        # A translation does not replace the original, nor an excerpt its text.
        (RASK, TRANSLATION | {"text": "Quick!"}, {}, {"translated_text": ("Quick.", "Quick!")}),
        (RASK, TRANSLATION | {"text": "Quick."}, {}, {}),
        ({}, EXCERPT | {"text": "Quick and..."}, {}, {}),
        ({}, EXCERPT | {"text": "Quick and ti…"}, {}, {}),
        ({}, EXCERPT | {"text": "Quick and tidy work..."}, {}, {}),
        ({}, EXCERPT | {"text": "Slow and..."}, {}, {"text": (TEXT, "Slow and...")}),
        ({}, {"text": "Quick and tidy"}, {}, {"text": (TEXT, "Quick and tidy")}),
        (
            {},
            {},
            {"verified": True, "provided_fields": frozenset({"rating", "text"})},
            {"verified": (False, True)},
        ),
    ],
)
def test_different_fields_change(before, incoming, rules, changes):
    change, conflicts = decide(record(**incoming), stored(**before), Rules(**rules))

    assert (changed_fields(change), conflicts) == (changes, ())


@pytest.mark.parametrize(
    ("file", "switch", "before", "after"),
    [
        (None, None, True, True),
        (None, None, False, False),
        (None, True, False, True),
        (None, False, True, False),
        (True, False, False, True),
        (False, True, True, False),
    ],
)
def test_verified_is_from_file_then_option_then_stored_value(file, switch, before, after):
    change, _ = decide(record(verified=file), stored(verified=before), Rules(verified=switch))

    assert changed_fields(change) == ({} if before == after else {"verified": (before, after)})


texts = st.sampled_from(["", "Good.", "Bad."])
replies = st.sampled_from([("", None), ("Thanks.", None), ("Thanks.", dt.date(2026, 4, 1))])


@st.composite
def records(draw):
    reply_text, reply_date = draw(replies)
    return record(
        rating=draw(st.integers(1, 5)),
        text=draw(texts),
        translated_text=draw(texts),
        source_url=draw(st.sampled_from(["", "https://maps.example/1"])),
        reply_text=reply_text,
        reply_date=reply_date,
        verified=draw(st.none() | st.booleans()),
    )


@given(
    records(),
    records(),
    st.lists(st.sampled_from(FIELDS), unique=True),
    st.booleans(),
    st.none() | st.frozensets(st.sampled_from(FIELDS)),
)
def test_second_import_of_the_same_record_changes_nothing(
    first, second, edited, over, provided_fields
):
    rules = Rules(overwrite_edits=over, provided_fields=provided_fields)
    before = stored(first, edited=edited)

    change, _ = decide(second, before, rules)

    if change:
        assign(before, **change.values, edited_fields=change.edited_fields)
        assert decide(second, before, rules)[0] is None
        assert before.reply_text or before.reply_date is None
