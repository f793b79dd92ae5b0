"""A foreign project that fetches untrusted URLs with `requests` and `httpx`."""

import pytest

pytestmark = pytest.mark.standalone

REFUSED = ["The server's host does not resolve to public addresses alone."] * 3
PROGRAM = """
import guarded_http
with guarded_http.Session(timeout=5) as session:
    for url in ("https://127.0.0.1/", "http://169.254.169.254/", "https://localhost:1/"):
        try:
            session.get(url)
        except guarded_http.AddressRefused as refused:
            print(refused)
"""
ASYNC_PROGRAM = """
import asyncio
from guarded_http.async_client import AsyncAddressRefused, AsyncClient

async def main() -> None:
    async with AsyncClient(timeout=5) as client:
        for url in ("https://127.0.0.1/", "http://169.254.169.254/", "https://localhost:1/"):
            try:
                await client.get(url)
            except AsyncAddressRefused as refused:
                print(refused)

asyncio.run(main())
"""


def test_session_refuses_private_addresses(installed):
    project = installed("guarded_http")
    project.write("fetch.py", PROGRAM)

    assert project.run("fetch.py").splitlines() == REFUSED
    assert "no issues found" in project.mypy("fetch.py")


def test_async_client_refuses_private_addresses(installed):
    project = installed("guarded_http", "httpx>=0.27", "anyio>=4")
    project.write("fetch.py", ASYNC_PROGRAM)

    assert project.run("fetch.py").splitlines() == REFUSED
    assert "no issues found" in project.mypy("fetch.py")
