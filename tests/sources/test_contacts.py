"""Contact data in what a source sends, which is stored nowhere."""

import csv
import io
import json

import orjson
import pytest
from django.db import connection as database
from django.test import Client

from reviews.models import ImportBatch, ImportUpload
from sources import runs
from sources.contacts import is_contact_name, without_contacts
from sources.failures import shown
from sources.models import SourceRun
from sources.selectors import push_address
from tests.sources.rows import entry, make_connection

SECRETS = ("dana@mail.example", "203.0.113.77", "+15550107788")


def holds(content):
    return [secret for secret in SECRETS if secret.encode() in content]


@pytest.mark.parametrize(
    "name",
    [
        *("email", "E-Mail", "e_mail", "mail", "reviewer_email", "customerEmail", "Email Address"),
        *("phone", "telephone", "phoneNumber", "Mobile", "buyer_mobile_number", "tel", "emails"),
        *("ip", "IP", "ip_address", "ipAddress", "client-ip", "E-Mail-Adresse", "REVIEWER_EMAIL"),
    ],
)
def test_name_of_contact_data(name):
    assert is_contact_name(name)


@pytest.mark.parametrize(
    "name", ["zip", "description", "recipient", "title", "email_verified", "hotel", "rating", "id"]
)
def test_name_of_other_data(name):
    assert not is_contact_name(name)


def test_json_keeps_everything_but_contact_data():
    review = {
        **entry(1, text='She wrote "email": "yes"; {all} [fine]', big=12345678901234567890123),
        "description": {"email": SECRETS[0], "shop": "a"},
        "reviewer": {"name": "Dana", "phones": [SECRETS[2], "a]b"], "mail": {"value": SECRETS[0]}},
        "client": [{"ip": SECRETS[1]}, {"mobile": 15550107788}, {"phone": True, "fax": None}],
        "phone": {"home": {"numbers": [{"value": SECRETS[2]}, "}"]}},
        "emails": [[{"at": [SECRETS[0]]}], "]"],
    }

    kept = without_contacts(json.dumps({"reviews": [review]}).encode())

    review["description"]["email"] = None
    review["reviewer"] |= {"phones": None, "mail": None}
    review["client"] = [{"ip": None}, {"mobile": None}, {"phone": True, "fax": None}]
    review |= {"phone": None, "emails": None}
    assert json.loads(kept) == {"reviews": [review]}


def test_lines_of_json_with_a_broken_one():
    lines = [json.dumps(entry(1, email=SECRETS[0])), '{"email": "dana@mail.example", "rat']
    lines += ['{"phone": {"home": "+15550107788"', '{"mail": "dana@mail.example']

    assert not holds(without_contacts("\n".join(lines).encode()))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_csv_keeps_columns_and_row_numbers(delimiter, encoding):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerows(
        [
            ["id", "author", "E-Mail", "rating", "text", "ip_address"],
            ["1", "Zoë", SECRETS[0], "5", 'Two\nlines, "quoted"; and more', SECRETS[1]],
            [],
            ["2", "Jo", SECRETS[0], "4", "mobile", SECRETS[1]],
        ]
    )

    kept = without_contacts(text.getvalue().encode(encoding))

    assert list(csv.reader(io.StringIO(kept.decode(encoding), newline=""))) == [
        ["id", "author", "E-Mail", "rating", "text", "ip_address"],
        ["1", "Zoë", "", "5", 'Two\nlines, "quoted"; and more', ""],
        [],
        ["2", "Jo", "", "4", "mobile", ""],
    ]


@pytest.mark.parametrize(
    "content",
    [b"", b"PK\x03\x04", b"<html>", orjson.dumps([entry(1)]), b"id,rating\n1,5\n", b"\xff\xfe\x00"],
)
def test_content_without_contact_data_stays_as_it_is(content):
    assert without_contacts(content) == content


ODD = {
    "account": SECRETS[0],
    "seen_from": "2001:db8::7",
    "reach": ["+1 (555) 010-7788", f"mailto:{SECRETS[0]}"],
    "origin": SECRETS[1],
}
OF_USE = {
    "id": "dana@shop.example",
    "reviewId": "203.0.113.9",
    "date": "2026-11-26",
    "number": "15550107788",
    "text": 'Write to "dana@mail.example" or 203.0.113.77, at 10:30:00',
    "score": "4.5",
}


@pytest.mark.parametrize("indent", [None, 2])
def test_json_loses_values_that_are_contact_data_under_any_name(indent):
    kept = without_contacts(json.dumps([{**OF_USE, **ODD, "n": 123456}], indent=indent).encode())

    lost = {"account": None, "seen_from": None, "reach": [None, None], "origin": None}
    assert json.loads(kept) == [{**OF_USE, **lost, "n": 123456}]


def test_broken_line_of_json_hides_no_value_of_the_next():
    lines = ['{"a": "cut', json.dumps(ODD), '{"account": "dana@mail.example']

    assert not holds(without_contacts("\n".join(lines).encode()))


def test_csv_loses_cells_that_are_contact_data_under_any_name():
    row = {**OF_USE, "account": SECRETS[0], "origin": SECRETS[1], "reach": "+1 555 010-7788"}
    text = io.StringIO()
    writer = csv.DictWriter(text, row)
    writer.writeheader()
    writer.writerow(row)

    kept = without_contacts(text.getvalue().encode())

    assert list(csv.DictReader(io.StringIO(kept.decode(), newline=""))) == [
        {**OF_USE, "account": "", "origin": "", "reach": ""}
    ]


def test_words_of_a_maker_hold_no_contact_data():
    said = shown(f"The account {SECRETS[0]} is closed, call {SECRETS[2]} or (555) 010-7788")

    assert said == "The account [removed] is closed, call [removed] or [removed]"


@pytest.mark.django_db(transaction=True)
def test_contact_data_is_in_no_table_while_a_run_waits_and_after_rejected_rows(allowed, caplog):
    path = push_address(make_connection("push", name="Zapier")).removeprefix(
        "https://reviews.example"
    )
    contact = dict(zip(("email", "ip", "phone"), SECRETS, strict=True))
    rows = [entry(1, **contact), entry(2, **contact), entry(3, rating="eleven", **contact)]

    answer = Client().post(path, orjson.dumps(rows), content_type="application/json")
    before = dumped()
    runs.import_stored()

    assert answer.status_code == 202
    assert SourceRun.objects.get().error.startswith("1 of 3 rows")
    assert ImportBatch.objects.get().rejected == 1
    assert not ImportUpload.objects.exists()
    assert [words for words in SECRETS if words in before + dumped() + caplog.text] == []


def dumped():
    """All rows of all tables, as text."""
    text = ""
    with database.cursor() as cursor:
        for table in database.introspection.table_names(cursor):
            if not table.startswith("reviews_text_trigrams"):
                cursor.execute(f'SELECT * FROM "{table}"')
                text += repr(cursor.fetchall())
    return text
