"""Effects of an incoming record on the stored review."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imports.merge import (
    FIELDS,
    Change,
    Conflict,
    Rules,
    decide,
    incoming_values,
)
from imports.writer import assign
from review_exports.records import Record
from reviews.models import Review
from reviews.ulids import is_ulid, new_ulid


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


def test_the_same_record_again_changes_nothing():
    assert decide(record(), stored(), Rules()) == (None, ())


def test_only_the_fields_that_differ_change():
    change, conflicts = decide(record(rating=4, text="Slow."), stored(), Rules())

    assert changed_fields(change) == {"rating": (5, 4), "text": ("Quick and tidy work.", "Slow.")}
    assert conflicts == ()


def test_a_reply_that_is_gone_from_the_file_goes_with_its_date():
    replied = record(reply_text="Thank you!", reply_date=dt.date(2026, 3, 15))

    change, _ = decide(record(), stored(replied), Rules())

    assert changed_fields(change) == {
        "reply_text": ("Thank you!", ""),
        "reply_date": (dt.date(2026, 3, 15), None),
    }


NOON = dt.datetime(2026, 3, 14, 12, tzinfo=dt.UTC)
LATER = NOON + dt.timedelta(seconds=1)


@pytest.mark.parametrize("rules", [Rules(), Rules(overwrite_edits=True)])
def test_an_older_version_never_replaces_a_newer_one(rules):
    newer = stored(text="Mended.", edited=["text"], source_updated_at=LATER)

    assert decide(record(source_updated_at=NOON), newer, rules) == (None, ())


@pytest.mark.parametrize("stored_at", [None, NOON, LATER])
def test_a_version_as_new_as_the_stored_one_replaces_it(stored_at):
    change, _ = decide(
        record(text="Mended.", source_updated_at=LATER),
        stored(source_updated_at=stored_at),
        Rules(),
    )

    assert changed_fields(change)["text"] == ("Quick and tidy work.", "Mended.")


def test_a_file_that_tells_no_time_of_its_versions_is_taken_as_new():
    change, _ = decide(record(text="Mended."), stored(source_updated_at=LATER), Rules())

    assert changed_fields(change) == {"text": ("Quick and tidy work.", "Mended.")}


def test_extras_that_another_export_does_not_carry_are_not_erased():
    rich = record(
        author_avatar_url="https://maps.example/a.jpg",
        source_url="https://maps.example/r/1",
        translated_text="Rapide.",
        text_language="en",
        named_technicians=("Maren Holt",),
    )

    assert decide(record(), stored(rich), Rules()) == (None, ())


def test_a_translation_goes_with_the_text_it_translated():
    translated = record(text="Rask.", translated_text="Quick.", text_language="no")

    change, _ = decide(record(text="Grei."), stored(translated), Rules())

    assert changed_fields(change) == {
        "text": ("Rask.", "Grei."),
        "translated_text": ("Quick.", ""),
        "text_language": ("no", ""),
    }


def test_a_stored_translation_envelope_is_repaired():
    blob = "(Translated by Google) Quick.\n\n(Original)\nRask."

    change, _ = decide(
        record(text="Rask.", translated_text="Quick."), stored(record(text=blob)), Rules()
    )

    assert changed_fields(change) == {
        "text": (blob, "Rask."),
        "translated_text": ("", "Quick."),
    }


def test_a_translation_does_not_take_the_place_of_the_original():
    original = stored(text="Rask.", translated_text="Quick.", text_language="no")
    alone = record(text="Quick!", notes=("text_is_translation",))

    change, _ = decide(alone, original, Rules())

    assert changed_fields(change) == {"translated_text": ("Quick.", "Quick!")}
    same = record(text="Quick.", notes=("text_is_translation",))
    assert decide(same, original, Rules()) == (None, ())


@pytest.mark.parametrize("excerpt", ["Quick and...", "Quick and ti…", "Quick and tidy work..."])
def test_an_excerpt_does_not_take_the_place_of_the_whole_text(excerpt):
    assert decide(record(text=excerpt, notes=("text_is_excerpt",)), stored(), Rules()) == (None, ())


def test_an_excerpt_of_another_text_is_news():
    change, _ = decide(record(text="Slow and...", notes=("text_is_excerpt",)), stored(), Rules())

    assert changed_fields(change) == {"text": ("Quick and tidy work.", "Slow and...")}


def test_a_text_that_its_author_has_cut_short_is_no_excerpt():
    change, _ = decide(record(text="Quick and tidy"), stored(), Rules())

    assert changed_fields(change) == {"text": ("Quick and tidy work.", "Quick and tidy")}


def test_a_field_without_a_column_is_kept():
    replied = record(reply_text="Thank you!", reply_date=dt.date(2026, 3, 15), author="Dana R.")
    rules = Rules(provided_fields=frozenset({"rating", "date", "text"}))

    change, _ = decide(record(author="Anonymous", rating=4), stored(replied), rules)

    assert changed_fields(change) == {"rating": (5, 4)}


def test_the_day_of_a_reply_is_kept_where_the_file_repeats_the_reply_without_it():
    replied = record(reply_text="Thank you!", reply_date=dt.date(2026, 3, 15))

    assert decide(record(reply_text="Thank you!"), stored(replied), Rules()) == (None, ())
    change, _ = decide(record(reply_text="Thanks!"), stored(replied), Rules())
    assert changed_fields(change) == {
        "reply_text": ("Thank you!", "Thanks!"),
        "reply_date": (dt.date(2026, 3, 15), None),
    }


def test_the_day_of_a_reply_that_the_file_corrects_is_taken():
    replied = record(reply_text="Thank you!", reply_date=dt.date(2026, 3, 15))
    corrected = record(reply_text="Thank you!", reply_date=dt.date(2026, 3, 16))
    rules = Rules(provided_fields=frozenset({"reply_text", "reply_date"}))

    change, _ = decide(corrected, stored(replied), rules)

    assert changed_fields(change) == {
        "reply_date": (dt.date(2026, 3, 15), dt.date(2026, 3, 16)),
    }


def test_the_switch_verifies_also_where_the_file_has_no_column_for_it():
    rules = Rules(verified=True, provided_fields=frozenset({"rating", "text"}))

    change, _ = decide(record(), stored(), rules)

    assert changed_fields(change) == {"verified": (False, True)}


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
def test_verified_is_the_files_then_the_switchs_then_what_it_was(file, switch, before, after):
    change, _ = decide(record(verified=file), stored(verified=before), Rules(verified=switch))

    assert changed_fields(change) == ({} if before == after else {"verified": (before, after)})


def test_an_edit_by_hand_is_kept_and_told_as_a_conflict():
    edited = stored(text="Mended by hand.", edited=["text"])

    change, conflicts = decide(record(rating=4), edited, Rules())

    assert changed_fields(change) == {"rating": (5, 4)}
    assert conflicts == (Conflict("text", "Mended by hand.", "Quick and tidy work."),)


def test_an_edit_that_the_file_agrees_with_is_no_conflict():
    assert decide(record(), stored(edited=["text"]), Rules()) == (None, ())


def test_overwriting_takes_the_files_value_and_forgets_the_mark():
    edited = stored(text="Mended by hand.", edited=["rating", "text"])

    change, conflicts = decide(record(), edited, Rules(overwrite_edits=True))

    assert changed_fields(change) == {"text": ("Mended by hand.", "Quick and tidy work.")}
    assert change.edited_fields == ["rating"]
    assert [conflict.field for conflict in conflicts] == ["text"]


def test_an_edited_reply_keeps_its_date_too():
    edited = stored(reply_text="By hand.", reply_date=dt.date(2026, 3, 20), edited=["reply_text"])

    change, conflicts = decide(record(), edited, Rules())

    assert change is None
    assert [conflict.field for conflict in conflicts] == ["reply_text", "reply_date"]


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
def test_a_second_import_of_the_same_record_changes_nothing(
    first, second, edited, over, provided_fields
):
    rules = Rules(overwrite_edits=over, provided_fields=provided_fields)
    before = stored(first, edited=edited)

    change, _ = decide(second, before, rules)

    if change:
        assign(before, **change.values, edited_fields=change.edited_fields)
        assert decide(second, before, rules)[0] is None
        assert before.reply_text or before.reply_date is None


def test_ids_of_one_import_rise_and_are_ulids():
    ids = [new_ulid() for _ in range(2_000)]

    assert ids == sorted(set(ids))
    assert all(map(is_ulid, ids))
