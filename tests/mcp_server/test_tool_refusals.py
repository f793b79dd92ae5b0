import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_server.registry import registry
from tests.factories import make_review
from tests.mcp_server.mcp_client import ANY_JSON, refusal, text_of

REFUSALS = [
    ("search_reviews", {"rating": True}, "rating must be a whole number from 1 to 5."),
    ("search_reviews", {"limit": 10**400}, "limit must be a whole number from 1 to 100."),
    ("search_reviews", {"query": "\ud800"}, "query must be text in UTF-8 without NUL characters."),
    ("get_technician", {}, "name must be given."),
    ("get_technician", {"name": 5}, "name must be a text."),
    ("get_trend", {"until": "soon"}, "until must be a calendar day written as YYYY-MM-DD."),
    (
        "get_technician",
        {"name": "Nobody"},
        'There is no technician "Nobody". There are: Maren Holt.',
    ),
    (
        *("get_service", {"service": "Roofs"}),
        'There is no service "Roofs". There are: leak-detection (Leak detection).',
    ),
    (
        *("get_aspect_sentiment", {"aspect": "punctuality"}),  # A single review mentions it.
        (
            'There are no insights about the aspect "punctuality". '
            "There are none about any aspect yet."
        ),
    ),
    (
        *("get_review", {"id": "x"}),
        (
            'There is no review with the id "x". '
            "search_reviews gives the id of every review that it finds."
        ),
    ),
]


@pytest.mark.parametrize(("name", "arguments", "sentence"), REFUSALS)
def test_error_message_has_remedy(session, name, arguments, sentence):
    assert refusal(session.call(name, arguments)) == sentence  # G19-G22


def test_hidden_review_is_not_found(session):
    review = make_review(hidden=True)
    assert "no review" in refusal(session.call("get_review", {"id": review.ulid}))


def test_arguments_may_be_absent_or_null(session):
    absent, null, empty = (  # G17, G18
        session.ask("tools/call", {"name": "get_topics"} | arguments).result
        for arguments in ({}, {"arguments": None}, {"arguments": ""})
    )
    assert absent == null == empty
    assert absent["isError"] is False


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": 5},
        {"name": None},
        {"name": "get_everything"},
        {"name": "get_topics", "arguments": []},
        {"name": "get_topics", "arguments": "x"},
        {"name": "\ud800"},
    ],
)
def test_malformed_call_or_unknown_tool_is_an_error(session, params):
    reply = session.ask("tools/call", params)  # G15, G16
    assert (reply.status, reply.code) == (200, -32602)


@given(
    name=st.sampled_from(list(registry.tools)),
    arguments=st.dictionaries(
        st.sampled_from(["name", "id", "aspect", "service", "query", "from", "limit"]) | st.text(),
        ANY_JSON,
        max_size=4,
    ),
)
def test_any_arguments_are_handled(session, name, arguments):
    result = session.call(name, arguments)
    assert result["isError"] in {True, False}
    assert text_of(result)
