"""Searches, asked as a client asks them."""

import datetime as dt
import json
from urllib.parse import urlencode

import pytest

from reviews.search.parameters import InvalidParameters, SearchSerializer, read_query_string
from reviews.search.query import search_reviews

START = dt.date(2025, 1, 1)


def answer_to(**parameters):
    return search_reviews(search_of(urlencode(parameters).encode()))


def ask(parameters, **more):
    return json.loads(answer_to(**parameters, **more).body)


def search_of(raw):
    """The values of the known parameters of a query string."""
    search, _ = read_query_string(raw)
    return search


def issues_of(raw):
    """The issues of a query string that cannot be used."""
    with pytest.raises(InvalidParameters) as refusal:
        read_query_string(raw)
    return refusal.value.issues


def parse_arguments(arguments):
    """The search that JSON arguments ask for."""
    return SearchSerializer.read(arguments)


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
