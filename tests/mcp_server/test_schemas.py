"""Results of each revision, validated by the types of the official library."""

import pytest
from mcp_types import methods

from mcp_server.handshake import REVISIONS
from tests.mcp_server.talking import CALLS, MODERN, Session, initialize, modern

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_result_of_a_session_is_of_its_type(revision, published):
    results = {"initialize": initialize(revision).result}
    session = Session(revision)
    for method, params in {**CALLS, "ping": {}}.items():
        results[method] = session.ask(method, params).result
    for method, result in results.items():
        # Members that the type does not know are dropped by it.
        assert methods.serialize_server_result(method, revision, result) == result


@pytest.mark.parametrize("method", ["server/discover", *CALLS])
def test_every_result_without_a_session_is_of_its_type(method, published):
    result = modern(method, CALLS.get(method)).result
    assert methods.serialize_server_result(method, MODERN, result) == result
