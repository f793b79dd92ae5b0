"""SQLite's index of texts, held against the texts."""

from django.db import connection

from reviews.models import Review


def assert_index_is_whole():
    """On SQLite the index is a table of its own: all that visible texts say, and where."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE VIRTUAL TABLE temp.vocabulary"
            " USING fts5vocab(main, reviews_text_trigrams, instance)"
        )
        cursor.execute("SELECT doc, offset, term FROM temp.vocabulary")
        indexed = cursor.fetchall()
        cursor.execute("DROP TABLE temp.vocabulary")
    assert sorted(indexed) == sorted(
        (review.pk, at, review.text_folded[at : at + 3])
        for review in Review.objects.visible()
        for at in range(len(review.text_folded) - 2)
    )
