"""Columns of tables: which heading means which field, and what is told of the others."""

import pytest

from tests.review_exports.exports import read


@pytest.mark.parametrize(
    ("headings", "mapping"),
    [
        (
            "Kunde;Sterne;Bewertung;Datum;Antwort;Antwortdatum;Techniker;Leistung",
            "author rating text date owner_reply owner_reply_date technician service",
        ),
        ("Bewertung;Kommentar;Datum;Vorname", "rating text date first_name"),
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
            "Review Customer;Review Grade;Review Posted On;Review Feedback;Reply;Reply Posted At",
            "author rating date text owner_reply owner_reply_date",
        ),
        (
            "review_created_at;name of reviewer;bubble rating;public review;store reply",
            "date author rating text owner_reply",
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


def test_objects_in_the_cells_of_a_table_are_told():
    reading = read(
        "reviewId,reviewer,starRating,comment,createTime,reviewReply,location\n"
        "a,\"{'displayName': 'Ada'}\",FIVE,{fine},2025-03-02T20:00:00Z,,\"{'id': 1}\"\n"
        "b,\"{'displayName': 'Bo'}\",ONE,,2025-03-02T20:00:00Z,\"{'comment': 'Sorry'}\",\n"
    )

    (warning,) = reading.export.warnings
    assert warning.code == "objects_in_cells"
    assert "not read: reviewer, reviewReply, location. " in warning.message


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
