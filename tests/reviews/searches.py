"""Searches, sent as a client sends them."""

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
    """Return the values of the known parameters of a query string."""
    search, _ = read_query_string(raw)
    return search


def issues_of(raw):
    """Return the issues of an invalid query string."""
    with pytest.raises(InvalidParameters) as refusal:
        read_query_string(raw)
    return refusal.value.issues


def parse_arguments(arguments):
    """Return the search described by JSON arguments."""
    return SearchSerializer.read(arguments)


def issues_of_arguments(arguments):
    """Return the issues of invalid JSON arguments."""
    with pytest.raises(InvalidParameters) as refusal:
        parse_arguments(arguments)
    return refusal.value.issues


def all_pages(parameters, limit):
    """Return the ids of all pages, and each page's number of matches."""
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
