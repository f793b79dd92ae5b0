"""Tables of any kind: delimiters, headings and columns, also in workbooks."""

import pytest

from review_exports.opening import FORMATS
from tests.review_exports.exports import read, refused, workbook

# --- Delimiters, headings -------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_counted_in_the_heading_outside_quotes(delimiter):
    cells = [
        ["Name", '"Stars, of; 5|\tin\nall"', "Rating", "Date"],
        ["Ada", "x", "5", "2025-01-01"],
    ]
    reading = read("\n".join(delimiter.join(row) for row in cells))

    assert (reading.record.author, reading.record.rating) == ("Ada", 5)


def test_first_line_may_name_the_delimiter_as_excel_does():
    reading = read("sep=;\r\nName;Stars;Date\r\nAda;5;2025-01-01\r\n;9;2025-01-01\r\n")

    assert reading.record.author == "Ada"
    assert reading.codes == [(3, "rating", "rating_out_of_range")]


def test_blank_lines_before_the_heading_count_as_rows():
    reading = read("\n\nName,Stars,Date\nAda,5,2025-01-01\n")

    assert reading.record.row == 4


@pytest.mark.parametrize(
    "above",
    [
        "Reviews of 2025\n",
        "Reviews of 2025;;\nMade on 2025-06-01;;\n;;\n",
        'For:,"Tern Hollow\nHome Services"\n\n',
        "sep=;\nReviews\n",
    ],
)
def test_titles_above_the_headings_are_left_out_and_told(above):
    reading = read(f"{above}Name;Stars;Date\nAda;5;2025-01-01\nBo;9;2025-01-01\n")

    (warning,) = reading.export.warnings
    assert reading.record.author == "Ada"
    assert (warning.code, reading.errors[0].row) == (
        "rows_above_headings",
        reading.record.row + 1,
    )
    assert f"row {reading.record.row - 1};" in warning.message


def test_titles_of_a_sheet_are_left_out_and_told():
    reading = read(
        workbook(
            [["Reviews"], [], ["Made", "2025-06-01"], ["Name", "Stars", "Date"], ["Ada", 5, "2025"]]
        )
    )

    assert reading.codes == [(5, "date", "date_invalid")]
    assert reading.warnings == ["rows_above_headings"]


def test_headings_to_map_are_those_of_the_first_row():
    assert refused("Who;Count\nAda;5\nBo;4\n").columns == ["Who", "Count"]


def test_dates_under_titles_may_need_an_answer():
    content = "Reviews\nName;Stars;Date\nAda;5;04/05/2025\n"

    assert refused(content).code == "date_order_ambiguous"


def test_cells_with_line_breaks_count_as_one_row():
    reading = read('Name,Stars,Date,Text\nAda,5,2025-01-01,"a\n\nb"\n\nBo,9,2025-01-01,x\n')

    assert reading.record.text == "a\n\nb"
    assert reading.codes == [(4, "rating", "rating_out_of_range")]


def test_blanks_after_the_delimiters_of_the_heading_may_stand_before_quotes():
    reading = read('Name, Stars, Date, Text\nAda, 5, 2025-01-01, "Fast, and tidy"\n')

    assert reading.record.text == "Fast, and tidy"


def test_quotes_behind_a_backslash_are_quotes_where_a_file_has_them_so():
    reading = read(
        "Name,Stars,Date,Text\n"
        'Ada,5,2025-01-01,"She said \\"wow\\", twice"\n'
        'Bo,5,2025-01-01,"C:\\new \\"x\\""\n'
    )

    texts = [record.text for record in reading.records]
    assert texts == ['She said "wow", twice', 'C:\\new "x"']


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('"in C:\\"', "in C:\\"),
        ('"in ""C:\\"", twice"', 'in "C:\\", twice'),
        ('2\\" pipe', '2\\" pipe'),
    ],
)
def test_other_backslashes_stay(cell, text):
    assert read(f"Name,Stars,Date,Text,Source\nAda,5,2025-01-01,{cell},x\n").record.text == text


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_any_line_end_ends_a_row(line_end):
    reading = read(line_end.join(["Name,Stars,Date", "Ada,5,2025-01-01", "Bo,4,2025-01-01", ""]))

    assert [record.author for record in reading.records] == ["Ada", "Bo"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_letters_survive_every_encoding(encoding):
    reading = read("Name,Stars,Date\nZoë Müller,5,2025-01-01\n".encode(encoding))

    assert reading.record.author == "Zoë Müller"
    assert reading.export.encoding == encoding


def test_file_cut_off_inside_a_character_is_still_utf8_and_says_so():
    content = "Name,Stars,Date,Text\nZoë,5,2025-01-01,Müll".encode() + b"\xc3"
    reading = read(content)

    assert reading.record.author == "Zoë"
    assert reading.warnings == ["file_cut_off"]


@pytest.mark.parametrize(
    ("headings", "mapping"),
    [
        (
            "Kunde;Sterne;Bewertung;Datum;Antwort;Antwortdatum;Techniker;Leistung",
            "author rating text date owner_reply owner_reply_date technician service",
        ),
        ("Bewertung;Kommentar;Datum;Vorname", "rating text date"),
        ("Nom;Note;Avis;Date;Réponse", "author rating text date owner_reply"),
        ("Nom du client;Évaluation;Témoignage;Date", "author rating text date"),
        ("Nombre;Estrellas;Comentario;Fecha", "author rating text date"),
        ("Fecha de publicación;Cliente;Puntuación;Reseña", "date author rating text"),
        ("Date de publication;Nom;Note;Avis", "date author rating text"),
        ("Veröffentlicht am;Rezensent;Sterne;Rezensionstext", "date author rating text"),
        ("Nome;Nota;Comentário;Data", "author rating text date"),
        ("Namn;Betyg;Recension;Datum;Svar", "author rating text date owner_reply"),
        ("Navn;Stjerner;Anmeldelse;Dato;Svar", "author rating text date owner_reply"),
        ("Navn;Vurdering;Omtale;Dato", "author rating text date"),
        ("Customer Name;Star Rating;Review Text;Review Date", "author rating text date"),
        ("name;body;rating;dateCreated;handle", "author text rating date"),
        (
            "state;rating;title;author;body;reply;created_at;replied_at",
            "rating title author text owner_reply date owner_reply_date",
        ),
        (
            "Review Id;Review Display;Review Title;Review Date;Review Text;Rating;Verified Buyer",
            "review_id author title date text rating verified",
        ),
        ("reviewID;rating;title;content;created_at", "review_id rating title text date"),
        (
            "comment_ID;comment_author;comment_date_gmt;comment_content;rating",
            "review_id author date text rating",
        ),
        (
            "Feedback Date;Customer Name;Customer Rating;Customer Review;Merchant Reply;Reply Date",
            "date author rating text owner_reply owner_reply_date",
        ),
        (
            "Directory;Author;Stars;Review Text;Provider Response;Response Date;Published Date",
            "source author rating text owner_reply owner_reply_date date",
        ),
        ("reviewer;date_reviewed;star_rating;message", "author date rating text"),
        ("Customer;Stars;When;Comments;Tech", "author rating date text technician"),
        (
            "NAME;DATE;RATING;COMMENTS;TECHNICIAN ASSIGNED;SERVICE PERFORMED;OUR REPLY",
            "author date rating text technician service owner_reply",
        ),
        (
            "Platform;Author Name;Star Rating;Review;Review Date;Matched Technician;Job Type",
            "source author rating text date technician service",
        ),
        (
            "platform_name;reviewer_name;reviewer_img;reviewer_text;review_time;rating",
            "source author author_avatar_url text date rating",
        ),
        (
            "Fecha;Nombre del cliente;Overall satisfaction;Reseña",
            "date author rating text",
        ),
        (
            "Review Customer;Review Grade;Review Posted On;Review Feedback;Reply Posted At",
            "author rating date text owner_reply_date",
        ),
        (
            "review_created_at;name of reviewer;bubble rating;public review;store reply",
            "date author rating text owner_reply",
        ),
        (
            "UserNickname;Rating;ReviewText;SubmissionTime",
            "author rating text date",
        ),
        ("Profile Name;Overall;Review Text;Date", "author rating text date"),
        ("Date;Homeowner;Rating;Comments;Employees", "date author rating text technician"),
        (
            "Network;Reviewer;Rating;Review Comment;Date;Response;Response Date;Response Time",
            "source author rating text date owner_reply owner_reply_date",
        ),
        (
            "Date;Nom;Note;Commentaire;Réponse du propriétaire;Date de la réponse",
            "date author rating text owner_reply owner_reply_date",
        ),
        (
            "Fecha;Nombre;Puntuación;Opinión;Respuesta del propietario",
            "date author rating text owner_reply",
        ),
        ("名前;評価;日付;口コミ", "author rating date text"),
        ("お名前;総合評価;投稿日;コメント", "author rating date text"),
        ("姓名;评分;日期;评论", "author rating date text"),
        ("이름;별점;날짜;리뷰", "author rating date text"),
        ("Имя;Оценка;Дата;Отзыв", "author rating date text"),
        ("Ad;Puan;Tarih;Yorum", "author rating date text"),
        ("Jméno;Hodnocení;Datum;Komentář", "author rating date text"),
        ("Név;Értékelés;Dátum;Szöveg", "author rating date text"),
        ("Όνομα;Βαθμολογία;Ημερομηνία;Σχόλιο", "author rating date text"),
        ("Nimi;Arvosana;Päivä;Kommentti", "author rating date text"),
    ],
)
def test_headings_are_known_by_what_people_and_programs_call_them(headings, mapping):
    export = read(f"{headings}\n").export

    assert export.format == "generic"
    assert sorted(export.mapping.values()) == sorted(mapping.split())


def test_a_review_column_is_the_text_rather_than_a_comment_beside_it():
    reading = read("Date,Stars,Comment,Review\n2025-01-01,5,call her back,Fine work.\n")

    assert reading.record.text == "Fine work."


def test_columns_of_the_review_count_before_those_of_the_place_and_the_visit():
    reading = read(
        "title,rating,date,review_title,review_rating,review_date,review_text\n"
        "Tern Hollow,4.7,2025-01-01,Good,5,2025-01-03,Fine\n"
    )
    record = reading.record

    assert (record.rating, str(record.date), record.text) == (5, "2025-01-03", "Good\n\nFine")
    assert "rating (the rating is read from review_rating)" in reading.export.warnings[0].message


def test_column_that_says_nothing_gives_way_to_another_of_its_meaning():
    reading = read(
        "date_gmt,date,rating,author_name,name,content\n"
        ",2025-01-02 12:01:13,5,NULL,Ada,Fine\n"
        ",2025-01-03 12:01:13,4,,Bo,\n"
    )

    assert [(r.author, str(r.date)) for r in reading.records] == [
        ("Ada", "2025-01-02"),
        ("Bo", "2025-01-03"),
    ]
    relative = read("date,timestamp,rating\n3 weeks ago,2025-01-02 12:00:00,5\n")
    assert str(relative.record.date) == "2025-01-02"
    partly = read("date,created,rating\n2025-01-02,2025-01-01,5\n,2025-01-01,5\n")
    assert partly.codes == [(3, "date", "date_missing")]


def test_columns_that_lost_to_another_are_told():
    reading = read("Date,Stars,Review,Comment,Text,Text\n2025-01-01,5,a,b,c,d\n")

    (warning,) = reading.export.warnings
    assert warning.code == "columns_left_unread"
    assert "Review, Comment, Text (the text is read from Text)" in warning.message


def test_table_without_words_names_the_columns_that_may_hold_them():
    reading = read("Date,Stars,Positive,Negative,E-Mail\n2025-01-01,5,quick,,a@b.mail.example\n")

    (warning,) = reading.export.warnings
    assert warning.code == "no_text_column"
    assert "Positive, Negative." in warning.message


def test_table_with_titles_alone_names_the_columns_that_may_hold_the_words():
    reading = read("Invoice number,Date,Stars,Title,Pro,Con\n7,2025-01-01,5,Good,quick,dear\n")

    (warning,) = reading.export.warnings
    assert "only their stars and titles are taken" in warning.message
    assert "say so: Pro, Con." in warning.message


def test_columns_that_were_named_are_told_no_more():
    content = "Date,Stars,Review,Comment\n2025-01-01,5,a,b\n"

    assert read(content, columns={"Comment": "text", "Review": "ignore"}).warnings == []


@pytest.mark.parametrize(
    ("heading", "value"),
    [
        ("state", "spam"),
        ("Status", "Pending"),
        ("Review Status", " Rejected "),
        ("published", "false"),
        ("Is Approved", "no"),
        ("Hidden", "1"),
        ("is_spam", "TRUE"),
        ("comment_approved", "0"),
        ("comment_approved", "spam"),
        ("hide", "yes"),
    ],
)
def test_reviews_that_a_source_does_not_publish_are_left_out(heading, value):
    item = {"Stars": 5, "Date": "2025-01-01", heading: value}

    for reading in (
        read(f"Stars,Date,{heading}\n5,2025-01-01,{value}\n"),
        read([item]),
    ):
        assert reading.records == []
        assert [one.code for one in reading.skipped] == ["not_published"]


@pytest.mark.parametrize(
    ("heading", "value"),
    [
        ("state", "published"),
        ("State", "CA"),
        ("Status", "Completed"),
        ("Status", ""),
        ("Published", "2025-01-01"),
        ("Approved", "yes"),
        ("Hidden", "0"),
        ("Deleted", ""),
    ],
)
def test_reviews_of_any_other_status_are_taken_in(heading, value):
    assert len(read(f"Stars,Date,{heading}\n5,2025-01-01,{value}\n").records) == 1
    assert len(read([{"Stars": 5, "Date": "2025-01-01", heading: value}]).records) == 1


def test_objects_in_the_cells_of_a_table_are_told():
    reading = read(
        "reviewId,reviewer,starRating,comment,createTime,reviewReply,location\n"
        "a,\"{'displayName': 'Ada'}\",FIVE,{fine},2025-03-02T20:00:00Z,,\"{'id': 1}\"\n"
        "b,\"{'displayName': 'Bo'}\",ONE,,2025-03-02T20:00:00Z,\"{'comment': 'Sorry'}\",\n"
    )

    (warning,) = reading.export.warnings
    assert warning.code == "objects_in_cells"
    assert "not read: reviewer, reviewReply. " in warning.message


def test_first_and_last_name_make_the_author():
    assert read("Vorname;Nachname;Sterne;Datum\nAda;Wynn;5;2025-01-01").record.author == "Ada Wynn"


def test_named_technicians_and_services_are_kept():
    record = read(
        "Name,Stars,Date,Technician,Service\n"
        'Ada,5,2025-01-01,"Maren & Jonah","Drains, Heating & Cooling"\n'
    ).record

    assert record.named_technicians == ("Maren", "Jonah")
    assert record.named_services == ("Drains", "Heating & Cooling")


def test_stars_for_the_staff_and_the_service_are_no_names():
    record = read("Stars,Date,Staff,Service\n5,2025-01-01,10,4.5\n").record

    assert (record.named_technicians, record.named_services) == ((), ())


def test_time_in_utc_counts_before_that_of_a_zone_unsaid():
    reading = read("date,date_gmt,rating,content\n2025-02-01 20:30:00,2025-02-02 04:30:00,5,Fine\n")

    assert str(reading.record.date) == "2025-02-01"


def test_recommendation_counts_where_a_table_has_no_stars():
    reading = read(
        "Date,Name,recommendation_type\n2025-01-01,Ada,positive\n2025-01-02,Bo,negative\n"
    )

    assert [record.rating for record in reading.records] == [5, 1]
    assert reading.warnings == ["recommendation_positive", "recommendation_negative"]


# --- Mapping --------------------------------------------------------------------------------------


def test_columns_are_mapped_as_the_administrator_says():
    reading = read(
        "A,B,C,Text\nAda,5,2025-01-01,Fine\n",
        columns={"A": "author", "B": "rating", "C": "date", "Text": "ignore"},
    )

    assert reading.record.author == "Ada"
    assert reading.record.text == ""
    assert reading.export.mapping == {"A": "author", "B": "rating", "C": "date"}
    assert reading.export.provided_fields == {"author", "rating", "date"}


@pytest.mark.parametrize(
    "content",
    [
        'Pros,Cons,Stars,Date\nQuick,"Dear, but fair",5,2025-01-02\nTidy,,4,2025-01-03\n',
        [
            {"Pros": "Quick", "Cons": "Dear, but fair", "Stars": 5, "Date": "2025-01-02"},
            {"Pros": "Tidy", "Cons": None, "Stars": 4, "Date": "2025-01-03"},
        ],
    ],
)
def test_columns_that_share_the_words_are_put_one_under_the_other(content):
    reading = read(content, columns={"Pros": "text", "Cons": "text"})

    assert [r.text for r in reading.records] == ["Quick\n\nDear, but fair", "Tidy"]


def test_of_columns_mapped_alike_the_first_one_with_a_value_counts():
    reading = read(
        "Nick,Full,Stars,Date\nada,Ada Wynn,5,2025-01-02\n,Bo,4,2025-01-03\n",
        columns={"Nick": "author", "Full": "author"},
    )

    assert [record.author for record in reading.records] == ["ada", "Bo"]


def test_mapping_overrules_what_was_recognised():
    content = "curated,review_date,body,rating,remark,reviewer_name\nok,2025-01-01,a,5,b,Ada\n"

    reading = read(content, columns={"remark": "text"})

    assert reading.export.format == "judge.me"
    assert reading.record.text == "b"


@pytest.mark.parametrize("columns", [{"Nowhere": "rating"}, {"Name": "nothing"}])
def test_mapping_of_unknown_columns_or_fields_is_refused(columns):
    assert refused("Name,Stars,Date\n", columns=columns).code == "mapping_invalid"


def test_same_headings_have_the_same_signature_whatever_their_case():
    first = read("Name,Stars,Date\n").export.signature

    assert first == read("NAME;stars;Date\n").export.signature
    assert first != read("Name,Date,Stars\n").export.signature
    assert len(first) == 64


def test_sample_rows_leave_out_contact_data():
    content = "Name,E-Mail,Phone,Stars,Date,Note\nAda,a@mail.example,555,5,2025-01-01,203.0.113.7\n"

    assert read(content).export.sample_rows == [["Ada", "", "", "5", "2025-01-01", ""]]


# --- The choice of the format ---------------------------------------------------------------------


def test_format_can_be_overruled_by_name():
    content = "curated,review_date,body,rating,reviewer_name\nok,2025-01-01,a,5,Ada\n"

    assert read(content).record.source == "judge-me"
    assert read(content, format="generic").record.source == "import"


@pytest.mark.parametrize(
    ("name", "code"),
    [("nonsense", "format_unknown"), ("google_takeout_zip", "format_mismatch")],
)
def test_format_that_cannot_be_is_refused(name, code):
    assert refused("Name,Stars,Date\n", format=name).code == code


def test_known_formats_have_unique_names():
    names = [known.name for known in FORMATS]

    assert len(set(names)) == len(names)
    assert {"google_takeout_zip", "generic", "jsonl", "judge.me", "schema.org"} <= set(names)


# --- Workbooks ------------------------------------------------------------------------------------


def test_workbook_is_read_like_a_table():
    import datetime as dt

    content = workbook(
        [
            ["Name", "Stars", "Date", "Text", "Reply", "E-Mail"],
            ["Ada", 5, dt.datetime(2025, 1, 1), "Fine\nwork", None, "a@mail.example"],  # noqa: DTZ001
            [],
            ["Bo", 4.0, dt.datetime(2025, 3, 2, 4, 30), 42, "Thanks", None],  # noqa: DTZ001
            ["Cy", "4/5", "31.12.2024", None, None, None],
            ["Di", 4.5, "2025-01-01", None, None, None],
            ["Ed", 5, 45000, None, None, None],
            ["Fi", 5, "2025-01-01", None, None, None, "surplus"],
        ]
    )
    reading = read(content)

    assert [(r.row, r.author, r.rating, str(r.date), r.text) for r in reading.records] == [
        (2, "Ada", 5, "2025-01-01", "Fine\nwork"),
        (4, "Bo", 4, "2025-03-01", "42"),
        (5, "Cy", 4, "2024-12-31", ""),
    ]
    assert reading.codes == [
        (6, "rating", "rating_not_whole"),
        (7, "date", "date_invalid"),
        (8, None, "row_too_long"),
    ]
    assert "mail.example" not in repr(reading.outcomes)
    assert reading.export.encoding == "xlsx"


def test_what_a_workbook_escapes_is_read_as_it_was_written():
    text = "Fine_x000D_\nwork, _x005F_x000D_ and my_x_file"
    reading = read(workbook([["Name", "Stars", "Date", "Text"], ["Ada", 5, "2025-01-01", text]]))

    assert reading.record.text == "Fine\nwork, _x000D_ and my_x_file"


def test_mere_date_of_a_workbook_stays_one_among_the_cells_of_an_error():
    import datetime as dt

    moment = dt.datetime(2025, 1, 1)  # noqa: DTZ001  (as a workbook has it)
    (error,) = read(workbook([["Name", "Stars", "Date"], ["Ada", 9, moment]])).errors

    assert error.cells == ("Ada", "9", "2025-01-01")


def test_workbook_of_a_known_maker_is_recognised():
    content = workbook(
        [
            [
                "review_id",
                "author_title",
                "review_rating",
                "review_datetime_utc",
                "review_timestamp",
            ],
            ["ChdX", "Keiko", 5, "08/04/2025 09:33:20", 1754300000],
        ]
    )
    reading = read(content)

    assert reading.export.format == "outscraper"
    assert (reading.record.external_id, str(reading.record.date)) == ("ChdX", "2025-08-04")


REVIEWS = [["Name", "Stars", "Date"], ["Ada", 5, "2025-01-01"]]


@pytest.mark.parametrize(
    "content",
    [
        workbook([["Prepared for", "Tern Hollow"]], Reviews=REVIEWS),
        workbook([], Reviews=REVIEWS),
        workbook(REVIEWS, Notes=[["To do"], ["Call Ada"]]),
    ],
)
def test_sheet_with_reviews_is_found_wherever_it_stands(content):
    reading = read(content)

    assert (reading.record.author, reading.warnings) == ("Ada", [])


def test_hidden_sheet_comes_last():
    stars = [["Name", "Stars", "Date"], ["Bo", 4, "2025-01-01"]]
    reading = read(workbook([["Notes"]], hidden=stars, Reviews=REVIEWS))

    assert reading.record.author == "Ada"


def test_further_sheets_with_reviews_are_told():
    reading = read(workbook(REVIEWS, Later=REVIEWS, Notes=[["To do"]]))

    (warning,) = reading.export.warnings
    assert len(reading.records) == 1
    assert warning.code == "sheets_left_unread"
    assert "Only the sheet First is read" in warning.message
    assert "Later." in warning.message


def test_sheet_whose_dates_need_an_answer_is_not_passed_over():
    unclear = [["Name", "Stars", "Date"], ["Bo", 4, "04/05/2025"]]

    assert refused(workbook(unclear, Other=REVIEWS)).code == "date_order_ambiguous"
    assert read(workbook(REVIEWS, Other=unclear)).warnings == ["sheets_left_unread"]


def test_columns_to_map_are_those_of_the_first_sheet_that_is_not_empty():
    refusal = refused(workbook([], Answers=[["Who", "How many"]], Notes=[["To do"]]))

    assert refusal.columns == ["Who", "How many"]
