"""Files that hold a part of the reviews, and the responses of JSON:API documents."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports.parts import part_in
from tests.review_exports.exports import read, summary


def review(number: int = 1, **more: Any) -> dict[str, Any]:
    author = {"name": f"Ada {number}", "reviewCount": 40}
    return {
        "id": number,
        "author": author,
        "rating": 5,
        "date": "2025-01-02",
        "text": "Fine",
    } | more


def warning(document: Any, **options: Any) -> list[str]:
    return [
        warning.message
        for warning in read(document, **options).export.warnings
        if warning.code in {"part_of_total", "page_of_several", "page_token_left"}
    ]


@pytest.mark.parametrize(
    ("around", "name"),
    [
        ({"total": 312}, "total"),
        ({"total": "312"}, "total"),
        ({"totalReviewCount": 312}, "totalReviewCount"),
        ({"total_count": 312}, "total_count"),
        ({"count": 312, "next": "https://api.example/?page=2", "previous": None}, "count"),
        ({"meta": {"total": 312}}, "meta.total"),
        ({"meta": {"paging": {"total": 312, "limit": 1}}}, "meta.paging.total"),
        ({"paging": {"total": 312}}, "paging.total"),
        ({"pagination": {"totalItems": 312, "nextPage": 2}}, "pagination.totalItems"),
        ({"stats": {"count": 312, "average": 4.8}}, "stats.count"),
        ({"page": {"size": 1, "totalElements": 312, "number": 0}}, "page.totalElements"),
        ({"numberOfReviews": {"total": 312, "fiveStars": 300}}, "numberOfReviews.total"),
        ({"TotalResults": 312, "Limit": 1, "Offset": 0}, "TotalResults"),
        ({"@odata.count": 312}, "@odata.count"),
        ({"summary": {"meta": {"count": 312, "page_size": 1}}}, "summary.meta.count"),
        ({"hits": {"total": {"value": 312, "relation": "eq"}}}, "hits.total"),
        ({"place_info": {"title": "Tern Hollow", "reviews": 312}}, "place_info.reviews"),
    ],
)
def test_total_beside_the_reviews_tells_that_they_are_a_part(around, name):
    (message,) = warning({"reviews": [review()], **around})

    assert message.startswith(f"The file holds 1 of 312 reviews, as its {name} says. Export the")


@pytest.mark.parametrize(
    "around",
    [
        {"total": 1},
        {"total": 0},
        {"total": None},
        {"count": 1, "next": None},
        {"total": True},
        {"links": {"self": "https://api.example/", "next": None}},
        {"hasMore": False, "nextPageToken": ""},
        {"page": 1, "total_pages": 1},
        {"limit": 100, "offset": 0},
        {"user": {"name": "Owner"}},
    ],
)
def test_whole_file_is_not_called_a_part(around):
    assert warning({"reviews": [review()], **around}) == []


def test_counts_of_a_reviewer_are_no_total():
    assert warning([review(1, reviewsCount=40, photos=[{"id": 1}], count=9)]) == []
    assert warning({"review": review(1, total=9)}) == []
    assert warning({"reviews": [review(1, total=9, photos=[{"total": 40}])]}) == []


@pytest.mark.parametrize(
    ("around", "sentence"),
    [
        ({"current_page": 1, "last_page": 62}, "The file is page 1 of 62."),
        ({"page": 3, "totalPages": 62}, "The file is page 3 of 62."),
        ({"meta": {"pagination": {"page": "1", "pages": "62"}}}, "The file is page 1 of 62."),
        ({"number": 0, "totalPages": 62}, "The file is one of 62 pages."),
        ({"page": "1 of 62"}, "The file is page 1 of 62."),
        ({"paging": {"pages_total": 62, "current_page_number": 1}}, "The file is page 1 of 62."),
    ],
)
def test_page_of_several_is_told(around, sentence):
    assert warning({"data": [review()], **around}) == [f"{sentence} Import the others too."]


@pytest.mark.parametrize(
    ("around", "name"),
    [
        ({"nextPageToken": "abc"}, "nextPageToken"),
        ({"next_page_token": "abc"}, "next_page_token"),
        ({"links": {"next": "https://api.example/?cursor=abc"}}, "links.next"),
        ({"_links": {"next": {"href": "https://api.example/?page=2"}}}, "_links.next"),
        ({"links": [{"rel": "next", "href": "https://api.example/?page=2"}]}, "links"),
        ({"links": [{"rel": "next-page", "href": "https://api.example/"}]}, "links"),
        ({"paging": {"next": "https://api.example/"}}, "paging.next"),
        ({"hasMore": True}, "hasMore"),
        ({"pageInfo": {"hasNextPage": True, "endCursor": "abc"}}, "pageInfo.hasNextPage"),
        ({"@odata.nextLink": "https://api.example/"}, "@odata.nextLink"),
        ({"next": 2}, "next"),
    ],
)
def test_next_page_is_told(around, name):
    (message,) = warning({"results": [review()], **around})

    assert message.startswith(f"The file names a next page ({name}): it is one page of several.")


def test_total_is_found_around_nested_lists():
    edges = {"edges": [{"node": review()}], "totalCount": 312, "pageInfo": {"hasNextPage": True}}
    embedded = {"_embedded": {"reviews": [review()]}, "page": {"totalElements": 312, "size": 1}}
    merchant = {"paging": {"total_results": 312}, "results": [{"reviews": [review()], "name": "X"}]}

    assert (
        "holds 1 of 312 reviews, as its data.reviews.totalCount"
        in warning({"data": {"reviews": edges}}).pop()
    )
    assert "holds 1 of 312 reviews, as its page.totalElements" in warning(embedded).pop()
    assert "holds 1 of 312 reviews, as its paging.total_results" in warning(merchant).pop()


def test_list_is_counted():
    items = [review(number) for number in range(5)]

    assert warning({"total": 5, "reviews": items}) == []
    (message,) = warning({"total": 6, "reviews": items})
    assert "holds 5 of 6 reviews" in message


def test_joined_pages_are_a_part_only_where_some_are_missing():
    def page(number: int, **more: Any) -> str:
        return json.dumps({"data": [review(number)], "page": number, "pages": 2, **more})

    assert warning(page(1) + "\n" + page(2)) == []
    assert warning(page(1, total=2) + "\n" + page(2, total=2)) == []
    (message,) = warning(page(1, total=3) + "\n" + page(2, total=3))
    assert "holds 2 of 3 reviews" in message


def test_page_that_shows_some_of_its_reviews_says_so():
    node = {
        "@context": "https://schema.org",
        "@type": "LocalBusiness",
        "aggregateRating": {"@type": "AggregateRating", "reviewCount": "312", "ratingValue": 4.8},
        "review": [
            {
                "@type": "Review",
                "author": "Ada",
                "datePublished": "2025-01-02",
                "reviewRating": {"ratingValue": 5},
            }
        ],
    }

    (message,) = warning(node)

    assert message.startswith("The file holds 1 of 312 reviews, as its aggregateRating.reviewCount")


def test_maker_may_count_the_reviews_of_the_place_beside_each():
    item = {
        "reviewId": "a",
        "stars": 5,
        "name": "Ada",
        "publishedAtDate": "2025-01-02T12:00:00Z",
        "reviewsCount": 312,
    }
    row = "Ada,5,01/02/2025 12:00:00,312"
    heading = "author_title,review_rating,review_datetime_utc,reviews"

    (message,) = warning([item])
    assert message.startswith("The file holds 1 of 312 reviews, as its reviewsCount says.")
    (message,) = warning(f"{heading}\n{row}\n")
    assert message.startswith("The file holds 1 of 312 reviews, as its reviews says.")
    assert warning([item, item | {"reviewId": "b", "reviewsCount": 40}]) == []
    assert warning([item | {"reviewsCount": 1}]) == []


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("9" * 5000),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["total", "count", "next", "links", "page", "pages", "reviews", "meta"]
            ),
            inner,
            max_size=4,
        )
    ),
)


@given(VALUES, st.integers(0, 10))
def test_signs_of_any_document_are_told_or_not(document, held):
    assert len([*part_in(document).warnings(held)]) <= 1


# --- JSON:API ------------------------------------------------------------------------------------


def json_api(**response: Any) -> dict[str, Any]:
    """A review whose author and response are resources of their own."""
    return {
        "data": [
            {
                "type": "reviews",
                "id": "7",
                "attributes": {"rating": 4, "created_at": "2025-01-02", "body": "Fine"},
                "relationships": {
                    "author": {"data": {"type": "people", "id": "1"}},
                    "reply": {"data": [{"type": "replies", "id": "1"}]},
                    "product": {"data": None},
                    "place": {"links": {"self": "https://api.example/"}},
                },
            }
        ],
        "included": [
            {"type": "people", "id": "1", "attributes": {"name": "Ada"}},
            {
                "type": "replies",
                "id": "1",
                "attributes": {"text": "Thanks", "created_at": "2025-01-03"},
            },
            {"type": "replies", "id": "2"},
            "odd",
        ],
    } | response


def test_related_resources_are_read_as_members():
    reading = read(json_api())

    assert summary(reading) == [("import", "Ada", 4, "2025-01-02", "Fine", "Thanks")]
    assert str(reading.record.reply_date) == "2025-01-03"
    assert [one.name for one in reading.export.shape.columns if not one.field] == ["type"]


@pytest.mark.parametrize("included", [None, {}, [], [{"type": "people"}]])
def test_document_without_the_resources_is_read_as_it_is(included):
    assert read(json_api(included=included)).record.reply_text == ""


def test_response_that_waits_for_its_publication_is_left_out():
    def answered(state: str) -> str:
        document = {
            "data": [
                {
                    "type": "customerReviews",
                    "id": "1",
                    "attributes": {
                        "rating": 1,
                        "title": "Crash",
                        "body": "Crashes on open",
                        "reviewerNickname": "zed",
                        "createdDate": "2025-01-02T22:30:00-08:00",
                    },
                    "relationships": {
                        "response": {"data": {"type": "customerReviewResponses", "id": "r"}}
                    },
                }
            ],
            "included": [
                {
                    "type": "customerReviewResponses",
                    "id": "r",
                    "attributes": {
                        "responseBody": "Sorry",
                        "lastModifiedDate": "2025-01-04T08:00:00-08:00",
                        "state": state,
                    },
                }
            ],
        }
        reading = read(document)
        assert reading.export.format == "app_store"
        assert reading.record.text == "Crash\n\nCrashes on open"
        return reading.record.reply_text

    assert answered("PUBLISHED") == "Sorry"
    assert answered("PENDING_PUBLISH") == ""
