"""OAuth 2 with Google: authorization code flow with PKCE, access tokens (RFC 6749, 7636)."""

import base64
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from sources.client import CredentialsRefused, Response, SourceClient, SourceFailure, sanitize

AUTHORIZE = "https://accounts.google.com/o/oauth2/v2/auth"
TOKEN = "https://oauth2.googleapis.com/token"  # noqa: S105  (an address)
ACCOUNTS = "https://mybusinessaccountmanagement.googleapis.com/v1"
LOCATIONS = "https://mybusinessbusinessinformation.googleapis.com/v1"
SCOPE = "https://www.googleapis.com/auth/business.manage"
MAX_PAGES = 20
RENEW = (
    "The grant has expired or was withdrawn. Open the source, choose “Connect with Google” and "
    "allow the access again. If this happens every week, set the consent screen to “In production”."
)


def authorization_url(client_id: str, *, redirect_uri: str, state: str, verifier: str) -> str:
    """Return the address of the consent page of Google."""
    digest = hashlib.sha256(verifier.encode()).digest()
    query = {
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "response_type": "code",
        "scope": SCOPE,
        "access_type": "offline",
        "prompt": "consent",  # Otherwise a second grant gives no refresh token.
        "state": state,
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    }
    return f"{AUTHORIZE}?{urlencode(query)}"


class GoogleAccount:
    """Access that an owner granted to an OAuth client. Requests raise `SourceFailure`."""

    def __init__(
        self, client: SourceClient, settings: Mapping[str, Any], secrets: Mapping[str, str]
    ) -> None:
        self._client, self._settings, self._secrets = client, settings, secrets
        self._token = ""

    def refresh_token(self, *, code: str, verifier: str, redirect_uri: str) -> str:
        """Exchange an authorization code for a refresh token."""
        token = self._requested_token(
            "refresh_token",
            grant_type="authorization_code",
            code=code,
            code_verifier=verifier,
            redirect_uri=redirect_uri,
        )
        if not token:
            raise SourceFailure(
                "Google gave no lasting grant. Remove this app under "
                "myaccount.google.com/permissions, then connect again."
            )
        return token

    def sign_in(self) -> None:
        """Get an access token for about an hour.

        Raises `CredentialsRefused` if the grant has ended.
        """
        refresh_token = self._secrets["refresh_token"]
        self._token = self._requested_token(
            "access_token", grant_type="refresh_token", refresh_token=refresh_token
        )
        if not self._token:
            raise SourceFailure("Google gave no access token. The next check tries again.")

    @property
    def secret_headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}"}

    def get(self, url: str, query: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the object at an address of the API."""
        address = f"{url}?{urlencode(query)}" if query else url
        return _object(self._client.get(address, secret_headers=self.secret_headers))

    def locations(self) -> list[tuple[str, str]]:
        """Names and titles of all locations that the grant covers."""
        found = []
        for account in self._listed(f"{ACCOUNTS}/accounts", "accounts", {"pageSize": 20}):
            url = f"{LOCATIONS}/{quote(account['name'], safe='/')}/locations"
            query = {"pageSize": 100, "readMask": "name,title,storefrontAddress"}
            for location in self._listed(url, "locations", query):
                title = sanitize(location.get("title") or location["name"])
                town = (location.get("storefrontAddress") or {}).get("locality", "")
                label = f"{title}, {sanitize(town)}" if town else title
                found.append((f"{account['name']}/{location['name']}", label))
        return found

    def _listed(self, url: str, member: str, query: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """All entries of a paged list."""
        token: dict[str, str] = {}
        for _ in range(MAX_PAGES):
            body = self.get(url, {**query, **token})
            given = body.get(member) or []
            yield from (each for each in given if isinstance(each, dict) and "name" in each)
            if not body.get("nextPageToken"):
                return
            token = {"pageToken": str(body["nextPageToken"])}

    def _requested_token(self, name: str, **values: str) -> str:
        """Request a token, and return the member `name` of the response, or ""."""
        form = {
            "client_id": self._settings["client_id"],
            "client_secret": self._secrets["client_secret"],
            **values,
        }
        response = self._client.post(
            TOKEN,
            urlencode(form).encode(),
            content_type="application/x-www-form-urlencoded",
            returned=frozenset({400, 401}),
        )
        body = _object(response)
        error = body.get("error")
        if error == "invalid_grant":
            raise CredentialsRefused(RENEW)
        if error in {"invalid_client", "unauthorized_client"}:
            raise CredentialsRefused(
                "Google does not know this client id and secret. Copy both again from the Cloud "
                "console."
            )
        if error:
            says = sanitize(body.get("error_description", error))
            raise SourceFailure(f"Google's sign-in says: {says}.")
        token = body.get(name)
        return token if isinstance(token, str) else ""


def _object(response: Response) -> dict[str, Any]:
    body = response.json()
    if not isinstance(body, dict):
        raise SourceFailure("Google answered with something other than an object.")
    return body
