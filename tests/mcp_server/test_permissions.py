"""Permissions of tools, prompts, resources and the server, and OAuth's metadata (RFC 9728)."""

import pytest
from django.contrib.auth.models import User
from django.core.checks import run_checks
from django.test import Client as DjangoClient

from mcp_server import prompt, resource, tool
from mcp_server.testing import Client, RequestFailed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_registry")]

OAUTH = {"authorization_servers": ["https://login.example"], "scopes_supported": ["read", "lend"]}
CHALLENGE = (
    'Bearer resource_metadata="https://reviews.example/.well-known/oauth-protected-resource/mcp"'
    ', scope="read lend"'
)


@pytest.fixture(autouse=True)
def _authentication(settings):
    settings.MIDDLEWARE = [
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ]


def is_signed_in(request):
    return request.user.is_authenticated


def is_welcome(request):
    return request.headers.get("Authorization") == "Bearer good"


@pytest.fixture
def _books(empty_registry):
    @tool(permission=is_signed_in)
    def lend() -> str:
        return "Yours."

    @prompt(permission=is_signed_in)
    def recommend() -> str:
        return "Recommend a book."

    @resource("book://1", permission=is_signed_in)
    def book() -> str:
        return "Emma"


def signed_in():
    client = DjangoClient()
    client.force_login(User.objects.create(username="dana"))
    return client


USES = [
    lambda client: client.call_tool("lend").text,
    lambda client: client.get_prompt("recommend"),
    lambda client: client.read_resource("book://1"),
]


@pytest.mark.usefixtures("_books")
def test_permission_is_checked_by_request():
    allowed, refused = Client(signed_in()), Client()

    assert [use(allowed) for use in USES] == ["Yours.", "Recommend a book.", "Emma"]
    result = refused.call_tool("lend")
    assert (result.is_error, result.text) == (True, "You may not use lend.")
    for use, name in zip(USES[1:], ["recommend", "book"], strict=True):
        with pytest.raises(RequestFailed, match=f"You may not use {name}."):
            use(refused)
    assert list(refused.list_tools()) == ["lend"]  # The list is the same for all users.


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
@pytest.mark.usefixtures("_books")
def test_unauthenticated_client_is_challenged(settings, revision):
    settings.MCP_OAUTH = OAUTH
    client = Client(revision=revision)
    client.initialize()

    for use in USES:
        with pytest.raises(RequestFailed) as refused:
            use(client)
        assert refused.value.status == 401
        assert refused.value.headers["WWW-Authenticate"] == CHALLENGE
    settings.ROOT_URLCONF = "tests.mcp_server.oauth_urls"
    path = CHALLENGE.partition("reviews.example")[2].partition('"')[0]
    for address in (path, "/.well-known/oauth-protected-resource"):
        response = DjangoClient().get(address)
        assert response.json() == {
            "resource": "https://reviews.example/mcp",
            "resource_name": settings.MCP_SERVER["title"],
            "bearer_methods_supported": ["header"],
            **OAUTH,
        }
    assert DjangoClient().get(f"{path}/other").status_code == 404


def test_server_permission_is_checked_before_messages(settings):
    settings.MCP_PERMISSION = f"{__name__}.is_welcome"

    assert Client(headers={"Authorization": "Bearer good"}).list_tools() == {}
    with pytest.raises(RequestFailed) as refused:
        Client().initialize()
    assert (refused.value.status, "WWW-Authenticate" in refused.value.headers) == (403, False)
    settings.MCP_OAUTH = OAUTH
    with pytest.raises(RequestFailed) as refused:
        Client(revision="2025-06-18").initialize()
    assert (refused.value.status, refused.value.headers["WWW-Authenticate"]) == (401, CHALLENGE)


def test_metadata_is_not_found_unless_configured(settings):
    settings.ROOT_URLCONF = "tests.mcp_server.oauth_urls"
    assert DjangoClient().get("/.well-known/oauth-protected-resource").status_code == 404


@pytest.mark.parametrize(
    ("urls", "oauth", "found"),
    [
        ("config.urls", OAUTH, ["MCP_OAUTH is set, and its document has no address."]),
        ("tests.mcp_server.oauth_urls", {"a": 1}, ["MCP_OAUTH names no authorization_servers."]),
        ("tests.mcp_server.oauth_urls", OAUTH, []),
    ],
)
def test_check_finds_unusable_metadata(settings, urls, oauth, found):
    settings.ROOT_URLCONF = urls
    settings.MCP_OAUTH = oauth
    assert [each.msg for each in run_checks() if each.id == "mcp_server.E006"] == found
