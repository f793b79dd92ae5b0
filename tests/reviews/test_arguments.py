"""Parameters of a search as JSON arguments: values, and errors equal to those over HTTP."""

import datetime as dt
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.search.fields import Position, cursor_text
from reviews.search.parameters import FIELDS, InvalidParameters
from tests.reviews.searches import issues_of, issues_of_arguments, parse_arguments, search_of

POSITION = Position(dt.date(2026, 3, 14), "01KDVG5B00QS8R2V6M3W0XPE4T")
CURSOR = cursor_text(POSITION)


def test_arguments_have_json_types():
    arguments = {
        "rating": 5.0,
        "min_rating": 4.5,
        "since": "2026-01-01",
        "query": "on time",
        "mentions_technician": " Dana ",
        "limit": 7,
        "cursor": CURSOR,
    }

    assert parse_arguments(arguments) == {
        "sort": "newest",
        "rating": 5,
        "min_rating": 5,
        "since": dt.date(2026, 1, 1),
        "query": "on time",
        "mentions_technician": "Dana",
        "limit": 7,
        "cursor": POSITION,
    }


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"rating": 4.5}, "invalid_type"),
        *(
            ({"limit": value}, "invalid_type")
            for value in (True, "five", [5], {}, math.nan, math.inf)
        ),
        *(({"query": value}, "invalid_type") for value in (5, True, ["a"], {"a": 1})),
        ({"since": 5}, "invalid_type"),
        ({"cursor": 5}, "invalid_type"),
        ({"rating": -(10**5_000)}, "too_small"),
        ({"limit": 10**5_000}, "too_big"),
        ({"limit": 1e308}, "too_big"),
        ({"min_rating": 5.01}, "too_big"),
        ({"min_rating": 0.99}, "too_small"),
        ({"min_rating": -0.5}, "too_small"),
        ({"query": "\ud800"}, "invalid_text"),
        ({"query": "a\0"}, "invalid_text"),
        ({"query": "x" * 201}, "too_long"),
        ({"until": "2026-02-30"}, "invalid_date"),
        ({"cursor": "x"}, "invalid_cursor"),
        ({"raiting": 5}, "unknown"),
        ({"\ud800": 5}, "unknown"),
    ],
)
def test_bad_argument_is_a_serializable_issue(arguments, code):
    (issue,) = issues_of_arguments(arguments)

    assert issue["code"] == code
    json.dumps(issue, ensure_ascii=False).encode()


def test_same_mistake_has_same_issue_in_query_and_arguments():
    raw, arguments = b"since=2026-02-30&query=", {"since": "2026-02-30"}

    assert issues_of(raw + b"x" * 201) == issues_of_arguments(arguments | {"query": "x" * 201})


def test_examples_are_read_as_query_and_arguments():
    for name, field in FIELDS.items():
        example = field.example
        parse_arguments({name: example})
        shown = str(example).lower() if isinstance(example, bool) else example
        search_of(f"{name}={shown}".encode())


ARGUMENTS = st.dictionaries(
    st.sampled_from(list(FIELDS)) | st.text(max_size=3),
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.lists(st.integers(), max_size=2)
    | st.sampled_from(["2026-01-01", CURSOR, 5, 4.5]),
    max_size=5,
)


@given(ARGUMENTS)
def test_any_arguments_are_a_search_or_a_list_of_issues(arguments):
    issues = None
    try:
        parse_arguments(arguments)
    except InvalidParameters as refusal:
        issues = refusal.issues
    assert issues != []
    json.dumps(issues, ensure_ascii=False, allow_nan=False).encode()
