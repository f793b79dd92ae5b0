"""SQLite's indexes of texts, held against the texts."""

import re
from collections import Counter

from django.db import connection

from reviews.models import Review
from reviews.search.index import INDEX_OF_WORDS, INDEXES
from reviews.search.words import WORD


def assert_index_is_whole():
    """On SQLite the indexes are tables of their own: all that visible texts say, and where."""
    if connection.vendor != "sqlite":
        return
    visible = list(Review.objects.visible())
    assert indexed("reviews_review_trigrams", "doc, offset, term") == sorted(
        (place_of(review), at, review.text_folded[at : at + 3])
        for review in visible
        for at in range(len(review.text_folded) - 2)
    )
    assert indexed("reviews_review_words", "DISTINCT doc, term") == sorted(
        {(place_of(row), word) for row in visible for word in WORD.findall(row.text_folded)}
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, word, reviews FROM reviews_word")
        parts = cursor.fetchall()
    assert {word: reviews for _, word, reviews in parts} == Counter(
        part
        for row in visible
        for part in set(re.split("[ \n.,!?\"'():;/-]+", row.text_folded)) - {""}
    )
    assert indexed("reviews_word_trigrams", "doc, offset, term") == sorted(
        (key, at, word[at : at + 3]) for key, word, _ in parts for at in range(len(word) - 2)
    )


def indexed(index, columns):
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, {index}, instance)"
        )
        cursor.execute(f"SELECT {columns} FROM temp.vocabulary")
        found = cursor.fetchall()
        cursor.execute("DROP TABLE temp.vocabulary")
    return sorted(found)


def place_of(review):
    return review.date.toordinal() << 41 | review.pk << 3 | review.rating


def pieces_of_the_indexes():
    pieces = []
    with connection.cursor() as cursor:
        for index in (*INDEXES, INDEX_OF_WORDS):
            cursor.execute(f"SELECT count(DISTINCT segid) FROM {index}_idx")
            pieces += cursor.fetchone()
    return pieces
