"""Results of each revision, validated by the types of the official library."""

import pytest
from mcp_types import methods

from mcp_server.handshake import REVISIONS
from tests.mcp_server.mcp_client import CALLS, MODERN, Session, initialize, send_stateless

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("revision", REVISIONS)
def test_results_with_session_match_types(revision, published):
    results = {"initialize": initialize(revision).result}
    session = Session(revision)
    for method, params in {**CALLS, "ping": {}}.items():
        results[method] = session.ask(method, params).result
    for method, result in results.items():
        # The type drops unknown members.
        assert methods.serialize_server_result(method, revision, result) == result


@pytest.mark.parametrize("method", ["server/discover", *CALLS])
def test_results_without_session_match_types(method, published):
    result = send_stateless(method, CALLS.get(method)).result
    assert methods.serialize_server_result(method, MODERN, result) == result
