"""OAuth 2 with Google: authorization code flow with PKCE, access tokens (RFC 6749, 7636)."""

import base64
import hashlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from sources.client import SourceClient
from sources.failures import CredentialsRefused, SourceFailure, shown

AUTHORIZE = "https://accounts.google.com/o/oauth2/v2/auth"
TOKEN = "https://oauth2.googleapis.com/token"  # noqa: S105  (an address)
ACCOUNTS = "https://mybusinessaccountmanagement.googleapis.com/v1"
LOCATIONS = "https://mybusinessbusinessinformation.googleapis.com/v1"
SCOPE = "https://www.googleapis.com/auth/business.manage"
MOST_PAGES = 20
RENEW = (
    "The grant has expired or was withdrawn. Open the source, choose “Connect with Google” and "
    "allow the access again. If this happens every week, set the consent screen to “In production”."
)


def authorization_url(client_id: str, *, redirect_uri: str, state: str, verifier: str) -> str:
    """The page of Google on which the owner allows the access."""
    digest = hashlib.sha256(verifier.encode()).digest()
    query = {
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "response_type": "code",
        "scope": SCOPE,
        "access_type": "offline",
        "prompt": "consent",  # Else a second grant brings no refresh token.
        "state": state,
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    }
    return f"{AUTHORIZE}?{urlencode(query)}"


def refresh_token(
    client: SourceClient,
    settings: Mapping[str, Any],
    secrets: Mapping[str, str],
    *,
    code: str,
    verifier: str,
    redirect_uri: str,
) -> str:
    """The refresh token for an authorization code; raises `SourceFailure`."""
    body = _token_request(
        client,
        settings,
        secrets,
        {
            "grant_type": "authorization_code",
            "code": code,
            "code_verifier": verifier,
            "redirect_uri": redirect_uri,
        },
    )
    token = body.get("refresh_token")
    if not isinstance(token, str) or not token:
        raise SourceFailure(
            "Google gave no lasting grant. Remove this app under myaccount.google.com/permissions, "
            "then connect again."
        )
    return token


def access_token(
    client: SourceClient, settings: Mapping[str, Any], secrets: Mapping[str, str]
) -> str:
    """A token for about an hour; raises `CredentialsRefused` when the grant has ended."""
    body = _token_request(
        client,
        settings,
        secrets,
        {"grant_type": "refresh_token", "refresh_token": secrets["refresh_token"]},
    )
    token = body.get("access_token")
    if not isinstance(token, str) or not token:
        raise SourceFailure("Google gave no access token. The next look tries again.")
    return token


def _token_request(
    client: SourceClient,
    settings: Mapping[str, Any],
    secrets: Mapping[str, str],
    values: Mapping[str, str],
) -> dict[str, Any]:
    form = {
        "client_id": settings["client_id"],
        "client_secret": secrets["client_secret"],
        **values,
    }
    answer = client.post(
        TOKEN,
        urlencode(form).encode(),
        content_type="application/x-www-form-urlencoded",
        returned=frozenset({400, 401}),
    )
    body = answer.json()
    if not isinstance(body, dict):
        raise SourceFailure("Google's sign-in answered with something else than an object.")
    if error := body.get("error"):
        if error == "invalid_grant":
            raise CredentialsRefused(RENEW)
        if error in {"invalid_client", "unauthorized_client"}:
            raise CredentialsRefused(
                "Google does not know this client id and secret. Copy both again from the Cloud "
                "console."
            )
        raise SourceFailure(
            f"Google's sign-in says: {shown(body.get('error_description', error))}."
        )
    return body


def locations(client: SourceClient, token: str) -> list[tuple[str, str]]:
    """Names and titles of all locations that the grant reaches; raises `SourceFailure`."""
    found = []
    for account in _listed(client, token, f"{ACCOUNTS}/accounts", "accounts", {"pageSize": 20}):
        path = f"{LOCATIONS}/{quote(account['name'], safe='/')}/locations"
        query = {"pageSize": 100, "readMask": "name,title,storefrontAddress"}
        for location in _listed(client, token, path, "locations", query):
            title = shown(location.get("title") or location["name"])
            town = (location.get("storefrontAddress") or {}).get("locality", "")
            label = f"{title}, {shown(town)}" if town else title
            found.append((f"{account['name']}/{location['name']}", label))
    return found


def _listed(
    client: SourceClient, token: str, url: str, member: str, query: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """All entries of a list that is given in pages."""
    entries: list[dict[str, Any]] = []
    page_token = ""
    for _ in range(MOST_PAGES):
        sent = {**query, **({"pageToken": page_token} if page_token else {})}
        answer = client.get(
            f"{url}?{urlencode(sent)}", secret_headers={"Authorization": f"Bearer {token}"}
        )
        body = answer.json()
        if not isinstance(body, dict):
            break
        entries += [
            each for each in body.get(member) or [] if isinstance(each, dict) and "name" in each
        ]
        page_token = str(body.get("nextPageToken") or "")
        if not page_token:
            break
    return entries
