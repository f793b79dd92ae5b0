"""SerpApi: pages of reviews, newest first."""

from urllib.parse import parse_qs, urlsplit

import orjson
import pytest

from reviews.models import Review
from tests.sources.rows import make_connection
from tests.sources.servers import Reply


def review(number: int) -> dict:
    return {
        "link": f"https://www.google.com/maps/reviews/y{number}",
        "rating": 5.0,
        "iso_date": "2026-05-20T09:34:44Z",
        "iso_date_of_last_edit": "2026-05-20T09:34:44Z",
        "source": "Google",
        "review_id": f"ChZINVENTED{number}",
        "user": {"name": f"Inv Person {number}", "contributor_id": str(number)},
        "snippet": f"Invented snippet {number}",
    }


class Pages:
    """The reviews with these numbers, five on a page."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers
        self.queries: list[dict] = []

    def __call__(self, requested):
        query = {
            name: texts[0] for name, texts in parse_qs(urlsplit(requested.target).query).items()
        }
        self.queries.append(query)
        start = int(query.get("next_page_token", 0))
        body = {
            "search_metadata": {"id": "s", "status": "Success"},
            "place_info": {"title": "Invented Plumbing", "rating": 5.0, "reviews": 30},
            "reviews": [review(number) for number in self.numbers[start : start + 5]],
        }
        if start + 5 < len(self.numbers):
            body["serpapi_pagination"] = {"next_page_token": str(start + 5)}
        return Reply(orjson.dumps(body))


@pytest.fixture
def connection(maker, recipes, transactional_db):
    return make_connection(
        "serpapi", place_id="ChIJinvented", language="en", key="serp-secret", source=""
    )


def test_all_pages_are_read_newest_first(connection, maker, look):
    maker.reply = pages = Pages(list(range(23)))

    look()

    assert Review.objects.count() == 23
    assert {each["sort_by"] for each in pages.queries} == {"newestFirst"}
    assert [each.get("next_page_token") for each in pages.queries] == [None, "5", "10", "15", "20"]
    connection.refresh_from_db()
    assert connection.expected_rows == 30


def test_look_without_news_takes_one_page(connection, maker, look):
    maker.reply = pages = Pages(list(range(23)))
    look(86_400)
    pages.queries.clear()

    look(2 * 86_400)

    assert len(pages.queries) == 1


def test_new_review_is_found_and_old_ones_stay(connection, maker, look):
    maker.reply = pages = Pages(list(range(23)))
    look(86_400)
    pages.numbers = [99, *range(23)]

    look(2 * 86_400)

    assert Review.objects.filter(hidden=False).count() == 24


def test_all_pages_are_read_again_after_a_month(connection, maker, look):
    maker.reply = pages = Pages(list(range(23)))
    look(86_400)
    pages.queries.clear()

    look(31 * 86_400)

    assert len(pages.queries) == 5


def test_error_inside_success_is_told_without_key(connection, maker, look, caplog):
    maker.reply = Reply(
        orjson.dumps({"search_metadata": {"status": "Error"}, "error": "No valid results."})
    )

    look()

    connection.refresh_from_db()
    assert connection.last_error == (
        "SerpApi says: No valid results. Check the settings and the account."
    )
    assert "serp-secret" not in caplog.text


def test_place_without_reviews_is_no_failure(connection, maker, look):
    body = {
        "search_metadata": {"status": "Success"},
        "error": "Google hasn't returned any results.",
    }
    maker.reply = Reply(orjson.dumps(body))

    look()

    connection.refresh_from_db()
    assert connection.last_error == ""
    assert Review.objects.count() == 0
