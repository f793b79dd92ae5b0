"""A client over real TLS on loopback, and misbehaving servers."""

from contextlib import ExitStack

import pytest

from tests.guarded_http.clients import make_client
from tests.guarded_http.tls import Authority, serving


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority.make(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def context(authority):
    return authority.context()


@pytest.fixture
def serve(context):
    """Start servers for scripts and return each `Server`. All stop with the test."""
    with ExitStack() as stack:

        def start(script, tls=context, **options):
            return stack.enter_context(serving(script, tls, **options))

        yield start


@pytest.fixture
def client(authority):
    return make_client(authority)
