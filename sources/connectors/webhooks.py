"""Read webhooks of providers by a recipe: notices, review events, or complete results."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

from core.http.request_body import BodyRefused
from sources.client import JsonRefused, SourceFailure, parse_json
from sources.connectors import push as pushed
from sources.connectors.api import check, first_at, flat, id_at, items_at, values_at
from sources.connectors.protocol import Fetched, Ignored, PollRequested, Push, Received
from sources.connectors.recipe import Recipe

AS_IT_COMES = "Leave the payload as the service fills it in."


def receive(recipe: Recipe, push: Push) -> Received:
    """Read a webhook. Addresses in it are never called: requests are built from its ids."""
    rules, title = recipe["push"], recipe["title"]
    if signature := rules.get("signature"):
        _check_signature(signature, push)
    if push.body is None:
        if "status" in rules:
            raise BodyRefused(413, f"A webhook of {title} is never so long. {AS_IT_COMES}")
        return pushed.receive(push)
    try:
        body = parse_json(push.body)
    except JsonRefused as refused:
        raise BodyRefused(422, f"This is not a webhook of {title}: {refused}") from None
    if "events" in rules:
        return _changes(title, rules["events"], body)
    if "status" in rules:
        return _notice(title, rules, body)
    try:
        is_ready = check(recipe, body)
    except SourceFailure as failure:
        raise BodyRefused(422, str(failure)) from None
    return pushed.receive(push) if is_ready and items_at(recipe, body) else Ignored()


def _check_signature(rules: Mapping[str, Any], push: Push) -> None:
    """Verify the HMAC-SHA256 of the raw body. Raises `BodyRefused`."""
    expected = hmac.new(push.secrets[rules["secret"]].encode(), push.raw_body, hashlib.sha256)
    given = push.headers.get(rules["header"].lower(), "").removeprefix("sha256=")
    if not hmac.compare_digest(expected.hexdigest().encode(), given.encode()):
        raise BodyRefused(
            403, "The signature does not match. Enter the API key of the account that sends this."
        )


def _notice(title: str, rules: Mapping[str, Any], body: Any) -> PollRequested | Ignored:
    """Request a poll if the job has succeeded."""
    status = str(first_at(body, rules["status"]))
    announced = id_at(body, rules["id"]) if "id" in rules else ""
    if not status or ("id" in rules and not announced):
        names = " or ".join(f"“{rules[name]}”" for name in ("status", "id") if name in rules)
        raise BodyRefused(
            422,
            f"This is not a webhook of {title}: the member {names} is missing. {AS_IT_COMES}",
        )
    if status not in rules["success"]:
        return Ignored("Only what has succeeded is fetched.")
    return PollRequested(announced)


def _changes(title: str, rules: Mapping[str, Any], body: Any) -> Fetched | Ignored:
    """Return events of new and changed reviews, and ids of deleted ones. Ignore other events."""
    places = values_at(body, rules["items"])
    if not any(isinstance(each, list) for each in places):
        raise BodyRefused(
            422, f"This is not a webhook of {title}: the list “{rules['items']}” is missing."
        )
    events = [(str(first_at(each, rules["name"])), each) for each in flat(places)]
    changes = [each for name, each in events if name in rules["changes"]]
    deletions = [first_at(each, rules["id"]) for name, each in events if name in rules["deletions"]]
    deleted_ids = [str(each) for each in deletions if each]
    if not changes and not deleted_ids:
        return Ignored("No event of a review: nothing to import.")
    content = json.dumps({rules["items"]: changes}).encode() if changes else b""
    return Fetched(content, f"{title}.json", deleted_ids=deleted_ids, is_always_new=True)
