"""Searches, asked as a client asks them."""

import datetime as dt
import json
from urllib.parse import urlencode

import pytest

from reviews.search.parameters import (
    InvalidParameters,
    Search,
    SearchSerializer,
    parse_query_string,
)
from reviews.search.result_cache import search_reviews

START = dt.date(2025, 1, 1)


def ask(parameters, **more):
    answer = search_reviews(parse_query_string(urlencode(parameters | more).encode()))
    return json.loads(answer.body)


def issues_of(raw):
    """The issues of a query string that cannot be used."""
    with pytest.raises(InvalidParameters) as refusal:
        parse_query_string(raw)
    return refusal.value.issues


def parse_arguments(arguments):
    """The search that JSON arguments ask for."""
    return Search(**SearchSerializer.read(arguments))


def issues_of_arguments(arguments):
    """The issues of JSON arguments that cannot be used."""
    with pytest.raises(InvalidParameters) as refusal:
        parse_arguments(arguments)
    return refusal.value.issues


def all_pages(parameters, limit):
    """The ids of every page, and what each page said about the number of matches."""
    ids, counts, cursor = [], set(), {}
    while True:
        result = ask(parameters, limit=limit, **cursor)
        page = [review["id"] for review in result["reviews"]]
        assert result["returned"] == len(page) <= limit
        ids += page
        counts.add(result["matched"])
        if result["next_cursor"] is None:
            return ids, counts
        assert page
        cursor = {"cursor": result["next_cursor"]}
