"""Reply on Trustpilot, by its private API with key, secret and the id of a business user.

Trustpilot does not document what a second reply does. So the review is fetched first, to see
whether an earlier attempt has delivered the reply.
"""

import base64
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from django.utils.translation import gettext as _

from sources.client import CredentialsRefused
from sources.connectors.api import first_at
from sources.connectors.replies import Replies, ReplyCall, request

API = "https://api.trustpilot.com/v1"
SITE = "Trustpilot"


def send(call: ReplyCall) -> None:
    """Post the reply, unless an earlier attempt did."""
    headers = {"Authorization": f"Bearer {_access_token(call)}"}
    review = f"{API}/private/reviews/{quote(call.external_id, safe='')}"
    stored = call.client.get(review, secret_headers=headers).json()
    if first_at(stored, ["companyReply.text", "reply.message"]) == call.text:
        return
    body = {"authorBusinessUserId": call.settings["business_user"], "message": call.text}
    request(call, "POST", f"{review}/reply", body, site=SITE, secret_headers=headers)


def _access_token(call: ReplyCall) -> str:
    pair = f"{call.secrets['key']}:{call.secrets['api_secret']}".encode()
    response = call.client.post(
        f"{API}/oauth/oauth-business-users-for-applications/accesstoken",
        b"grant_type=client_credentials",
        content_type="application/x-www-form-urlencoded",
        secret_headers={"Authorization": f"Basic {base64.b64encode(pair).decode()}"},
        returned=frozenset({400, 401, 403}),
    )
    token = response.json().get("access_token") if response.status == 200 else ""
    if not isinstance(token, str) or not token:
        raise CredentialsRefused(
            _("Trustpilot does not accept the API key and secret. Copy both again into the source.")
        )
    return token


def _reaches(settings: Mapping[str, Any], secrets: Mapping[str, str], external_id: str) -> bool:
    needs = {"key", "api_secret"} - secrets.keys()
    return bool(external_id and settings.get("business_user") and not needs)


REPLIES = Replies(source="trustpilot", reaches=_reaches, send=send)
