"""A foreign project that fetches addresses of strangers."""

import pytest

pytestmark = pytest.mark.standalone

PROGRAM = """
import guarded_http
with guarded_http.Session(timeout=5) as session:
    for url in ("https://127.0.0.1/", "http://169.254.169.254/", "https://localhost:1/"):
        try:
            session.get(url)
        except guarded_http.AddressRefused as refused:
            print(refused)
"""


def test_session_refuses_addresses_that_are_not_public(installed):
    project = installed("guarded_http")
    project.write("fetch.py", PROGRAM)

    said = project.run("fetch.py").splitlines()

    assert said == ["The server's host does not resolve to public addresses alone."] * 3
