"""Letters that were encoded twice, as in the archives of Meta."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports.readers.json_documents import decode_twice, is_double_encoded
from tests.review_exports.exports import read


def encoded_twice(text):
    return text.encode().decode("latin-1")


def review(author, text):
    return {"author": author, "text": text, "rating": 5, "date": "2024-01-02"}


MEANT = [review("José Muñoz", "¡Excelente! 😀 Volveré"), review("Ann", "Good")]
TWICE = [{name: encoded_twice(value) if isinstance(value, str) else value
          for name, value in one.items()} for one in MEANT]  # fmt: skip


@pytest.mark.parametrize("ensure_ascii", [True, False])
@pytest.mark.parametrize(
    "written",
    [
        json.dumps,
        lambda reviews, **kwargs: json.dumps({"reviews_on_your_page": reviews}, **kwargs),
        lambda reviews, **kwargs: "\n".join(json.dumps(one, **kwargs) for one in reviews),
        lambda reviews, **kwargs: "\n".join(json.dumps({"reviews": [one]}, **kwargs)
                                            for one in reviews),
    ],
)  # fmt: skip
def test_letters_encoded_twice_are_read_as_they_were_meant(written, ensure_ascii):
    reading = read(written(TWICE, ensure_ascii=ensure_ascii))

    assert [(r.author, r.text) for r in reading.records] == [
        (one["author"], one["text"]) for one in MEANT
    ]
    assert reading.warnings == ["double_encoding_undone"]


@pytest.mark.parametrize(
    "reviews",
    [
        MEANT,
        [*TWICE, review("Zoë", "Fine")],
        [*TWICE, review("Ann", "Really… fine")],
        [review("Ann", "Good")],
        [review("Ã", "Good")],
    ],
)
def test_file_with_any_other_text_is_left_as_it_is(reviews):
    reading = read(reviews)

    assert "double_encoding_undone" not in reading.warnings


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_texts_encoded_twice_come_back(texts):
    twice = {"a": [{"b": [encoded_twice(text) for text in texts]}]}

    assert is_double_encoded([twice]) == any(not text.isascii() for text in texts)
    assert decode_twice(twice) == {"a": [{"b": texts}]}
