"""Tools with the demo data: schemas of the answers, and numbers of the dataset."""

import json

import pytest
from jsonschema import Draft202012Validator

from insights.documents import insights as insights_members
from insights.refresh import refresh
from mcp_server.registry import registry
from reviews.documents import dataset_summary
from tests.mcp_server.mcp_client import Session, document
from tools.demo_reviews import __main__ as demo_reviews

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo():
    """Return the two datasets as published over HTTP."""
    demo_reviews.main(["--reviews", "120"])
    refresh()
    return [document("/reviews.json"), document("/insights.json")]


def test_answers_match_schema_and_dataset(demo):
    reviews, insights = demo
    assert set(insights_members()) == set(insights) - {"per_review"}
    assert set(dataset_summary()) == set(reviews) - {"reviews"}
    session, called = Session(), set()

    def answer(tool, /, **arguments):
        result = session.call(tool, arguments)  # G12, G13
        found = result["structuredContent"]
        Draft202012Validator(registry.tools[tool].output_schema).validate(found)
        assert json.loads(result["content"][0]["text"]) == found
        called.add(tool)
        return found

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
    newest = reviews["reviews"][0]
    assert answer("get_review", id=newest["id"].lower())["review"] == newest
    assert answer("search_reviews", limit=1)["reviews"] == [newest]
    assert called == set(registry.tools)
