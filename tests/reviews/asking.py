"""Searches, asked as a client asks them."""

import datetime as dt
import json
from urllib.parse import urlencode

from reviews.search.parameters import parse_query_string
from reviews.search.result_cache import search_reviews

START = dt.date(2025, 1, 1)


def ask(parameters, **more):
    answer = search_reviews(parse_query_string(urlencode(parameters | more).encode()))
    return json.loads(answer.body)


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
