# ruff: noqa: RUF001  (Words of several alphabets.)
"""Columns that say that a review is not public, in any language: obeyed, or questioned."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports.formats.base import fold_name
from review_exports.publication_names import meaning_of
from review_exports.values.permissions import (
    read_permission,
    read_status,
    read_withholding,
)
from tests.review_exports.exports import TODAY, read, refused, workbook

PAIRS = [
    *(("true", "false"), ("t", "f"), ("Yes", "No"), ("Y", "N"), ("1", "0"), ("on", "off")),
    *(("WAHR", "FALSCH"), ("VRAI", "FAUX"), ("VERDADERO", "FALSO"), ("VERDADEIRO", "FALSO")),
    *(("✓", "✗"), ("☑", "☐"), ("✔\ufe0f", "❌"), ("○", "×"), ("x", ""), ("public", "private")),
    *(("oui", "non"), ("sí", "no"), ("si", "no"), ("ja", "nein"), ("да", "нет"), ("J", "N")),
    *(("はい", "いいえ"), ("예", "아니요"), ("是", "否"), ("sim", "não"), ("evet", "hayır")),
    *(("Sì", "No"), ("ano", "ne"), ("[x]", "[ ]"), ("🟢", "🔴"), ("可", "不可")),
    *(("EVET", "HAYIR"), ("tak", "nie"), ("ja", "nee"), ("kyllä", "ei"), ("igen", "nem")),
    *(("published", "unpublished"), ("Published", "Not published"), ("approved", "rejected")),
    *(("-1", "0"), ("b'1'", "b'0'"), ("Yes, gladly", "No, thank you"), ("１", "０")),
    *(("I agree", "I do not agree"), ("2024-05-01T10:00:00Z", ""), ("1714564800", "")),
]


@pytest.mark.parametrize(("yes", "no"), PAIRS)
@pytest.mark.parametrize("heading", ["Published", "May we publish this on our website?"])
def test_yes_and_no_of_languages_and_programs(heading, yes, no):
    reading = read(f'Date,Name,Stars,{heading}\n2025-01-02,Ada,5,"{yes}"\n2025-01-03,Bo,1,"{no}"\n')

    assert [record.author for record in reading.records] == ["Ada"]
    assert [skip.code for skip in reading.skipped] == ["not_published"]


@pytest.mark.parametrize(("yes", "no"), [pair for pair in PAIRS if pair[1]])
def test_flag_of_what_is_withheld_means_the_opposite(yes, no):
    content = f'Date,Name,Stars,Do not publish\n2025-01-02,Ada,5,"{no}"\n2025-01-03,Bo,1,"{yes}"\n'
    pairs_that_name_publication = {"public", "published", "Published", "approved"}
    if yes in pairs_that_name_publication:
        return
    assert [record.author for record in read(content).records] == ["Ada"]


@pytest.mark.parametrize(
    "value", ["maybe", "2", "perhaps later", "Yes, but without my name", "☒", "on request", "#REF!"]
)
@pytest.mark.parametrize(
    "heading", ["Published", "Consent to publish", "Do not publish", "is_deleted"]
)
def test_value_that_is_neither_yes_nor_no_is_a_row_error(heading, value):
    content = f'Date,Name,Stars,{heading}\n2025-01-02,Ada,5,"{value}"\n'

    (error,) = read(content).errors
    assert error.code == "publication_unclear"
    assert heading in error.message


@pytest.mark.parametrize("member", ["deletedAt", "deleted_on", "withdrawn_at", "Archived at"])
def test_day_of_deletion_withholds(member):
    item = {"date": "2025-01-02", "rating": 5, "name": "Ada", member: None}
    reading = read([item, {**item, "name": "Bo", member: "2025-02-01T10:00:00Z"}])

    assert [record.author for record in reading.records] == ["Ada"]
    assert len(read([{**item, member: "0000-00-00 00:00:00"}]).records) == 1


def test_day_of_publication_permits_and_its_lack_does_not():
    item = {"createdAt": "2025-01-02", "rating": 5, "name": "Ada", "publishedAt": "2025-01-03"}
    draft = {**item, "name": "Bo", "publishedAt": None}
    scheduled = {**item, "name": "Cy", "publishedAt": "2030-01-01"}

    assert [record.author for record in read([item, draft, scheduled]).records] == ["Ada"]


@pytest.mark.parametrize(
    ("heading", "meaning"),
    [
        *(("Permission to share", "published"), ("Do not publish", "withheld")),
        *(("Veröffentlicht", "published"), ("Darf veröffentlicht werden", "published")),
        *(("Dürfen wir Ihre Bewertung veröffentlichen?", "published"), ("Publié", "published")),
        *(("Nicht veröffentlichen", "withheld"), ("Ne pas publier", "withheld")),
        *(("Pouvons-nous publier votre avis ?", "published"), ("Oculto", "withheld")),
        *(("Autoriza publicar su opinión", "published"), ("非公開", "withheld")),
        *(("isPublic", "published"), ("review_is_hidden", "withheld"), ("Review Status", "status")),
        *(("moderation.status", "status"), ("Can we feature this in our marketing?", "published")),
        *(("Can we share your review on social media?", "published"), ("Consent", "unclear")),
        *(("Permission", "unclear"), ("Privacy", "unclear"), ("Moderation result", "unclear")),
        *(("Einwilligung", "unclear"), ("Consentement", "unclear"), ("Freigabe durch", "unclear")),
        *(("May we use your name?", "name"), ("OK to show my first name", "name")),
        *(
            ("GDPR consent", "unclear"),
            ("DSGVO-Einwilligung", "unclear"),
            ("Website OK?", "unclear"),
        ),
        *(
            ("Souhlas se zveřejněním", "unclear"),
            ("Közzétehető", "unclear"),
            ("掲載許可", "published"),
        ),
        *(("Samtykke", "unclear"), ("Συγκατάθεση", "unclear"), ("是否公开", "published")),
        *(("Approved by", "unclear"), ("OK to use in marketing?", "unclear"), ("Junk", "withheld")),
        *(("Is test", "unclear"), ("Duplicate", "unclear"), ("Legal hold", "unclear")),
        *(("Deleted by", "withheld"), ("Archiviert", "withheld"), ("Sperrvermerk", "withheld")),
        *(("Ne pas diffuser", "withheld"), ("Diffusion", "published"), ("Poufne", "withheld")),
        *(("E-mail consent", None), ("Accepts marketing", None), ("May we contact you?", None)),
        *(("Published Image Url", None), ("Public reply", None), ("Display Name", None)),
        *(("Publisher", None), ("relativePublishTimeDescription", None), ("Comment", None)),
        *(("Would you use us again?", None), ("Product", None), ("Technician", None)),
    ],
)
def test_heading_that_speaks_of_publication(heading, meaning):
    assert meaning_of(fold_name(heading)) == meaning


def test_heading_that_is_not_clear_is_asked_about():
    content = "Date,Name,Stars,Consent\n2025-01-02,Ada,5,Yes\n2025-01-03,Bo,1,No\n"
    refusal = refused(content)

    assert refusal.code == "publication_unclear"
    assert "Consent" in refusal.message
    for answer, authors in (
        ("published", ["Ada"]),
        ("withheld", ["Bo"]),
        ("ignore", ["Ada", "Bo"]),
    ):
        for choice in ({"columns": {"Consent": answer}}, {"publication": {"Consent": answer}}):
            assert [record.author for record in read(content, **choice).records] == authors


def test_member_that_is_not_clear_is_asked_about():
    items = [
        {"date": "2025-01-02", "rating": 5, "name": "Ada", "consent": {"given": True}},
        {"date": "2025-01-03", "rating": 1, "name": "Bo", "consent": {"given": False}},
    ]
    assert refused(items).code == "publication_unclear"
    assert len(read(items, publication={"consent.given": "published"}).records) == 1


@pytest.mark.parametrize(
    ("heading", "yes", "no"),
    [
        *(("Stage", "Published", "Draft"), ("Workflow", "published", "in_review")),
        *(("Feedback type", "Public", "Private"), ("Art", "öffentlich", "vertraulich")),
    ],
)
def test_column_whose_values_all_speak_of_publication_is_asked_about(heading, yes, no):
    content = f"Date,Name,Stars,{heading}\n2025-01-02,Ada,5,{yes}\n2025-01-03,Bo,1,{no}\n"

    assert refused(content).code == "publication_unclear"
    (record,) = read(content, publication={heading: "published"}).records
    assert record.author == "Ada"


def test_column_that_speaks_of_work_alone_is_not_asked_about():
    content = "Date,Name,Stars,Ticket\n2025-01-02,Ada,5,Completed\n2025-01-03,Bo,1,Pending\n"

    assert len(read(content).records) == 2


@pytest.mark.parametrize("blank", ["\\N", "NULL", "0000-00-00 00:00:00"])
def test_day_of_deletion_that_a_database_leaves_blank_says_nothing(blank):
    content = f"Date,Name,Stars,deletedAt\n2025-01-02,Ada,5,{blank}\n2025-01-03,Bo,1,2025-02-01\n"

    assert [record.author for record in read(content).records] == ["Ada"]


@pytest.mark.parametrize("values", [("✅", "❌"), ("ok", "withdrawn"), ("2025-01-05", "")])
def test_published_beside_a_date_in_another_language_is_not_the_date(values):
    yes, no = values
    content = f"Published;Datum;Name;Sterne\n{yes};02.01.2025;Ada;5\n{no};03.01.2025;Bo;1\n"

    (record,) = read(content).records
    assert (record.author, record.date) == ("Ada", dt.date(2025, 1, 2))


def test_unclear_heading_without_any_value_is_passed_over():
    assert len(read("Date,Name,Stars,Consent\n2025-01-02,Ada,5,\n").records) == 1


def test_name_that_may_not_be_shown_is_left_out():
    content = "Date,Name,Stars,May we use your name?\n2025-01-02,Ada,5,Yes\n2025-01-03,Bo,4,No\n"

    assert [record.author for record in read(content).records] == ["Ada", "Anonymous"]


STATUSES = {
    "public": [
        *("Published", "LIVE", "APPROVED", "active", "ok", "New", "Responded", "Needs reply"),
        *("Unverified", "published on Google", "Approved by admin", "Veröffentlicht", "Publié"),
        *("not_treated", "Not replied", "Freigegeben", "Aprobada", "Completed", "not spam"),
    ],
    "hidden": [
        *("Removed by Google", "Under review", "Disputed", "Flagged", "Not recommended"),
        *("Filtered", "Inactive", "Expired", "Withdrawn", "post-trashed", "trashed", "Spam (auto)"),
        *("Disabled", "Off", "Internal", "Reported", "Refused", "En attente", "Rejetée"),
        *("Pendiente", "Rechazada", "Nicht freigegeben", "QUARANTINED", "not-yet", "awaiting"),
        *("PENDING_APPROVAL", "pendingModeration", "rejected: profanity", "hidden by owner"),
        *("Noch nicht veröffentlicht", "non publié", "in Prüfung", "На модерации", "待审核"),
        *("submitted", "scheduled", "stateSpam", "auto-draft", "Awaiting verification"),
    ],
    "unclear": [
        "Closed",
        "Ignored",
        "Moderated",
        "Merged",
        "7",
        "Zurückgestellt",
        "visible to staff",
    ],
}


@pytest.mark.parametrize(
    ("status", "outcome"), [(word, key) for key, words in STATUSES.items() for word in words]
)
def test_status_in_the_words_of_makers(status, outcome):
    reading = read(f'Date,Name,Stars,Review Status\n2025-01-02,Ada,5,"{status}"\n')
    counts = {
        "public": len(reading.records),
        "hidden": len(reading.skipped),
        "unclear": sum(error.code == "status_unclear" for error in reading.errors),
    }

    assert {key for key, count in counts.items() if count} == {outcome}


def test_status_that_is_not_understood_is_asked_about_once():
    words = ["Merged", "Published", "Merged"]
    rows = "".join(f"2025-01-0{day},Ada,5,{word}\n" for day, word in enumerate(words, 1))
    content = f"Date,Name,Stars,Status\n{rows}"
    reading = read(content)
    (question,) = reading.export.questions

    assert (question.kind, len(reading.records)) == ("status", 1)
    assert [(one.name, one.count) for one in question.subjects] == [("Merged", 2)]
    assert len(read(content, statuses={"merged": "public"}).records) == 3
    assert len(read(content, statuses={"Merged": "hidden"}).skipped) == 2
    assert len(read(content, columns={"Status": "ignore"}).records) == 3


@pytest.mark.parametrize(
    ("heading", "value"),
    [("Reply Status", "Draft"), ("Is Reply Public", "no"), ("Reply hidden", "1")],
)
def test_reply_that_is_not_public_is_left_out(heading, value):
    content = f"Date,Name,Stars,Reply,{heading}\n2025-01-02,Ada,5,Call her back,{value}\n"
    reading = read(content)

    assert (reading.record.reply_text, reading.warnings) == ("", ["replies_not_public"])


def test_reply_in_an_object_of_its_own_is_left_out_where_it_is_not_public():
    item = {"date": "2025-01-02", "rating": 5, "name": "Ada"}
    items = [
        {**item, "reply": {"text": "Internal", "isPublic": False}},
        {**item, "name": "Bo", "reply": {"text": "Thanks", "isPublic": True}},
    ]

    assert [record.reply_text for record in read(items).records] == ["", "Thanks"]


@pytest.mark.parametrize(
    ("headings", "values", "count"),
    [
        ("State", "CA", 1),
        ("City,State", "Reno,Nevada", 1),
        ("State", "Nevada", 0),
        ("City,State", "Reno,rejected", 0),
    ],
)
def test_state_of_an_address_says_nothing(headings, values, count):
    content = f"Date,Name,Stars,{headings}\n2025-01-02,Ada,5,{values}\n"

    assert len(read(content).records) == count


def test_answer_about_the_name_that_is_missing_hides_it():
    content = "Date,Name,Stars,May we use your name?\n2025-01-02,Ada,5,Yes\n2025-01-03,Bo,4,\n"

    assert [record.author for record in read(content).records] == ["Ada", "Anonymous"]


def test_wish_to_stay_anonymous_that_is_not_understood_is_kept():
    content = "Date,Name,Stars,Anonymous\n2025-01-02,Ada,5,no\n2025-01-03,Bo,4,yes please\n"

    assert [record.author for record in read(content).records] == ["Ada", "Anonymous"]


WORDS = st.lists(st.sampled_from(["published", "approved", "hidden", "spam", "Merged", "review"]))


@given(st.text(max_size=40) | st.integers() | st.booleans() | st.none() | st.floats())
def test_any_value_is_read_without_fault(value):
    for answer in (
        read_status(value),
        read_permission(value, today=TODAY),
        read_withholding(value),
    ):
        assert answer in {True, False, None}


@given(WORDS, st.sampled_from(["not", "Not yet", "never", "nicht", "non", "не"]))
def test_negated_status_is_never_a_permission(words, negation):
    status = " ".join([negation, *words])
    is_about_hiding = {"hidden", "spam"}.intersection(words)

    assert is_about_hiding or read_status(status) is not True


@given(st.text(min_size=1, max_size=30))
def test_value_that_permits_never_withholds(value):
    if read_permission(value, today=TODAY) and not any(map(str.isdigit, value)):
        is_word_of_publication = read_status(value) and read_withholding(value) is False
        assert is_word_of_publication or read_withholding(value)


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_cells_of_a_workbook_are_read_alike(kind):
    rows = [["Date", "Name", "Stars", "Published"]]
    rows += [[dt.date(2025, 1, 2), "Ada", 5, True], [dt.date(2025, 1, 3), "Bo", 1, False]]
    content = workbook(rows) if kind == "xlsx" else "\n".join(",".join(map(str, r)) for r in rows)

    assert [record.author for record in read(content).records] == ["Ada"]


def test_two_columns_of_one_name_are_refused_where_they_tell_of_publication():
    content = "Date,Name,Stars,Status,Status\n2025-01-02,Ada,5,published,rejected\n"

    assert refused(content).code == "columns_of_one_name"
    assert len(read(content, columns={"Status": "ignore"}).records) == 1
    assert len(read("Date,Name,Stars,Mood,Mood\n2025-01-02,Ada,5,a,b\n").records) == 1


def test_wish_to_stay_anonymous_is_kept_in_the_export_of_a_maker():
    content = (
        "curated,review_date,body,rating,reviewer_name,anonymous\n"
        "ok,2025-01-01,a,5,Ada,true\nok,2025-01-02,b,5,Bo,false\n"
    )

    assert [record.author for record in read(content).records] == ["Anonymous", "Bo"]


@pytest.mark.parametrize("heading", ["Published", "Review Status", "Consent"])
def test_contact_data_among_permissions_are_not_shown(heading):
    values = ["ada@mail.example", "+1 775 555 0100", "203.0.113.9"]
    rows = [f"2025-01-0{at},Ada,5,{value}" for at, value in enumerate(values, 1)]
    content = "\n".join([f"Date,Name,Stars,{heading}", *rows])
    if heading == "Consent":
        printed = repr(refused(content).question)
    else:
        reading = read(content)
        outcomes = [(error.message, error.value) for error in reading.errors]
        printed = repr((outcomes, reading.export.questions))

    assert not any(value in printed for value in values)


@pytest.mark.parametrize(
    ("member", "yes", "no"),
    [
        ("meta", {"isPublished": True}, {"isPublished": False}),
        ("flags", {"spam": False, "hidden": None}, {"spam": True, "hidden": None}),
        ("settings", {"public": "yes"}, {"public": "no"}),
        ("moderation_info", {"deletedAt": None}, {"deletedAt": "2025-02-01"}),
    ],
)
def test_members_of_inner_objects_are_read(member, yes, no):
    item = {"date": "2025-01-02", "rating": 5, "name": "Ada", member: yes}

    assert [one.author for one in read([item, {**item, "name": "Bo", member: no}]).records] == [
        "Ada"
    ]


@pytest.mark.parametrize("member", ["product", "reviewer", "photo", "business", "user"])
def test_members_of_other_subjects_do_not_count(member):
    item = {"date": "2025-01-02", "rating": 5, "name": "Ada", member: {"hidden": True}}

    assert len(read([item]).records) == 1


@pytest.mark.parametrize("heading", ["Notes", "Tags", "Anonymity", "Comment"])
@pytest.mark.parametrize(
    "wish",
    [
        *("Do not publish!", "do-not-publish", "NICHT VERÖFFENTLICHEN", "please keep private"),
        *("Ne pas publier", "No publicar", "Strictly confidential", "nur intern"),
    ],
)
def test_wish_in_any_column_that_a_review_stays_private_is_asked_about(heading, wish):
    content = f"Date,Name,Stars,Text,{heading}\n2025-01-02,Ada,5,Ok,\n2025-01-03,Bo,1,No,{wish}\n"

    assert refused(content).code == "publication_unclear"
    (record,) = read(content, publication={heading: "withheld"}).records
    assert record.author == "Ada"


@pytest.mark.parametrize("label", ["Do not publish", "Please do not publish.", "Keep it private"])
def test_box_that_is_exported_with_its_label_withholds(label):
    content = f"Date,Name,Stars,Do not publish\n2025-01-02,Ada,5,\n2025-01-03,Bo,1,{label}\n"

    assert [record.author for record in read(content).records] == ["Ada"]


@pytest.mark.parametrize(
    ("heading", "yes", "no"), [("Public review", "Yes", "No"), ("Private review", "No", "Yes")]
)
def test_flag_that_is_called_like_words_is_a_flag(heading, yes, no):
    content = f"Date,Name,Stars,{heading},Text\n2025-01-02,Ada,5,{yes},A\n2025-01-03,Bo,1,{no},B\n"

    assert [(record.author, record.text) for record in read(content).records] == [("Ada", "A")]


def test_channel_that_is_private_is_asked_about():
    content = "Date,Name,Stars,Channel\n2025-01-02,Ada,5,Public\n2025-01-03,Bo,1,Private\n"

    assert refused(content).code == "publication_unclear"
