"""The tools over the demo: every answer is of its shape, every number is that of the dataset."""

import json

import pytest
from jsonschema import Draft202012Validator

from insights.documents import insights as insights_members
from insights.refresh import refresh
from mcp_server.registry import registry
from reviews.documents import dataset_summary
from tests.mcp_server.talking import Session, document
from tools.demo_reviews import __main__ as demo_reviews

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo():
    """The two datasets as they are published over HTTP."""
    demo_reviews.main(["--reviews", "120"])
    refresh()
    return [document("/reviews.json"), document("/insights.json")]


def every_call(reviews, insights):
    """Each tool with each subject that it knows, and with each of its arguments."""
    entities = insights["entities"]
    yield from ((name, {}) for name in ("get_business", "get_topics", "get_faq", "get_summary"))
    yield from (("get_aspect_sentiment", {"aspect": row["id"]}) for row in insights["aspects"])
    yield from (("get_aspect_sentiment", {"aspect": row["label"]}) for row in insights["aspects"])
    yield from (("get_technician", {"name": row["name"]}) for row in entities["technicians"])
    yield from (("get_service", {"service": row["label"]}) for row in entities["services"])
    yield from (("get_review", {"id": each["id"].lower()}) for each in reviews["reviews"][:20])
    yield from (("get_faq", {"query": entry["question"]}) for entry in insights["faq"])
    yield from (
        ("get_trend", span) for span in ({}, {"since": "2026-01-31", "until": "2026-03-01"})
    )
    for filters in (
        {},
        {"rating": 1},
        {"min_rating": 4.5, "since": "2026-01-01", "until": "2026-06-30"},
        {"query": "THE", "limit": 100},
        {"query": "zzzqqq"},
        {"mentions_technician": entities["technicians"][0]["name"]},
        {"mentions_service": entities["services"][0]["id"], "limit": 1},
    ):
        yield "search_reviews", filters


def test_every_answer_is_of_its_shape(demo):
    session = Session()
    called = set()
    for name, arguments in every_call(*demo):
        result = session.call(name, arguments)  # G12, G13
        assert result["isError"] is False, (name, arguments, result)
        Draft202012Validator(registry.tools[name].output_schema).validate(
            result["structuredContent"]
        )
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        called.add(name)
    assert called == set(registry.tools)


def test_every_number_is_that_of_the_dataset(demo):
    reviews, insights = demo
    assert set(insights_members()) == set(insights) - {"per_review"}
    assert set(dataset_summary()) == set(reviews) - {"reviews"}
    session = Session()

    def answer(tool, /, **arguments):
        return session.call(tool, arguments)["structuredContent"]

    known = {review["id"]: review for review in reviews["reviews"]}
    for tool, argument, kind, rows in (
        ("get_aspect_sentiment", "aspect", "aspect", insights["aspects"]),
        ("get_technician", "name", "technician", insights["entities"]["technicians"]),
        ("get_service", "service", "service", insights["entities"]["services"]),
    ):
        for row in rows:
            found = answer(tool, **{argument: row["id"].upper()})
            assert found[kind] == row
            assert found["examples"] == [known[ulid] for ulid in row["example_review_ids"]]
            assert answer(tool, **{argument: (row.get("label") or row["name"]).lower()}) == found
    assert answer("get_business") == {  # M4
        key: reviews[key] for key in ("business", "aggregate_rating")
    }
    assert answer("get_topics") == {
        "review_count": insights["review_count"],
        "complaints": insights["complaints"],
        "topics": insights["topics"],
        "problems": insights["entities"]["problems"],
    }
    assert answer("get_faq") == {"matched": len(insights["faq"]), "faq": insights["faq"]}
    assert answer("get_summary") == {
        "business_name": reviews["business"]["name"],
        "aggregate_rating": reviews["aggregate_rating"],
        "date_range": insights["date_range"],
        "overall_sentiment": insights["overall_sentiment"],
        "complaints": insights["complaints"],
        "periods": insights["temporal"]["periods"],
        "summary": insights.get("summary"),
        "pull_quote": insights.get("pull_quote"),
        "model": insights["model"],
        "generated_at": insights["generated_at"],
    }
    assert answer("get_trend") == {
        "trend": insights["temporal"]["trend"],
        "periods": insights["temporal"]["periods"],
        "monthly": insights["temporal"]["monthly"],
    }
