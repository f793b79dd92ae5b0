"""DataForSEO: Google reviews of a place, by a task that is answered later or posted to us.

A task costs money, so its id is stored before its results are asked for.
"""

import base64
from typing import Any, ClassVar
from urllib.parse import quote

import orjson
from django import forms
from django.core.exceptions import ValidationError

from sources.connectors import push as pushed
from sources.connectors.protocol import (
    Connector,
    ConnectorForm,
    Fetched,
    Ignored,
    Look,
    Push,
    SecretField,
    Unchanged,
    ordered,
    place_id_field,
)
from sources.failures import CredentialsRefused, PushRefused, SourceFailure, shown

API = "https://api.dataforseo.com/v3/business_data/google/reviews"
OK, CREATED = 20000, 20100
PENDING = {40601, 40602}  # Handed on; in the queue.
NO_RESULTS = 40102
REFUSED = range(40100, 40102)
POLL_SECONDS = 60
PENDING_SECONDS = 6 * 3600


class DataForSEOForm(ConnectorForm):
    """A place, and the credentials of the API."""

    secret_fields: ClassVar[tuple[str, ...]] = ("login", "password")

    place_id = place_id_field()
    keyword = forms.CharField(
        label="Or its name and town",
        max_length=300,
        required=False,
        help_text="As you would search for it, if you do not know the place id.",
    )
    location = forms.CharField(
        label="Location",
        max_length=200,
        initial="United States",
        help_text="As DataForSEO names it: “London,England,United Kingdom”.",
    )
    language = forms.CharField(label="Language code", max_length=10, initial="en")
    most = forms.IntegerField(
        label="Newest reviews to fetch",
        min_value=10,
        max_value=4490,
        initial=100,
        help_text="Billed in tens, at every look. DataForSEO gives at most 4,490.",
    )
    login = forms.CharField(label="API login", help_text="In the dashboard under “API Access”.")
    password = SecretField(label="API password")

    def clean(self) -> dict[str, Any]:
        """One of place id and keyword."""
        cleaned = super().clean() or {}
        if not (cleaned.get("place_id") or cleaned.get("keyword")):
            raise ValidationError({"place_id": "Enter the place id, or the name and town."})
        return cleaned


def fetch(look: Look) -> Fetched | Unchanged:
    """The results of the task that is under way; without one, a new task."""
    identifier = look.state.get("task", "")
    if not identifier:
        return _order(look)
    answer = look.client.get(
        f"{API}/task_get/{quote(identifier, safe='')}", secret_headers=_login(look)
    )
    task = _task(answer.json())
    code = task["status_code"]
    if code in PENDING:
        return _wait(look, identifier)
    if code == NO_RESULTS or not _items(task):
        return Unchanged({})
    return Fetched(answer.content, file_name="dataforseo.json", expected_rows=_total(task))


def _order(look: Look) -> Unchanged:
    place = look.settings.get("place_id")
    task = {
        **({"place_id": place} if place else {"keyword": look.settings["keyword"]}),
        "location_name": look.settings["location"],
        "language_code": look.settings["language"],
        "depth": look.settings["most"],
        "sort_by": "newest",
    }
    answer = look.client.post(f"{API}/task_post", orjson.dumps([task]), secret_headers=_login(look))
    return _wait(look, str(_task(answer.json())["id"]))


def _wait(look: Look, identifier: str) -> Unchanged:
    return ordered(
        look,
        "task",
        identifier,
        poll_seconds=POLL_SECONDS,
        longest_seconds=PENDING_SECONDS,
        late="DataForSEO has not finished a task within six hours. The next look orders it again.",
    )


def _task(body: Any) -> dict[str, Any]:
    """The one task of an answer; raises for an error inside a 200."""
    try:
        task = (body["tasks"] or [body])[0]
        code = int(task["status_code"])
    except (KeyError, TypeError, ValueError, IndexError):
        raise SourceFailure("DataForSEO answered without a task.", state={}) from None
    if code in REFUSED:
        raise CredentialsRefused(
            f"DataForSEO refuses access ({code}: {shown(task.get('status_message'))}). Renew login "
            "and password here, then resume the source."
        )
    if code not in {OK, CREATED, NO_RESULTS, *PENDING}:
        raise SourceFailure(
            f"DataForSEO says: {shown(task.get('status_message'))} ({code}). Check the place, the "
            "location and the account.",
            state={},
        )
    return {**task, "status_code": code, "id": task.get("id", "")}


def _items(task: dict[str, Any]) -> list[Any]:
    results = task.get("result") or []
    return [
        item for result in results if isinstance(result, dict) for item in result.get("items") or []
    ]


def _total(task: dict[str, Any]) -> int | None:
    """The number of reviews that the site itself shows."""
    counts = [result.get("reviews_count") for result in task.get("result") or []]
    return next((count for count in counts if isinstance(count, int)), None)


def _login(look: Look) -> dict[str, str]:
    pair = f"{look.secrets['login']}:{look.secrets['password']}".encode()
    return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}


def receive(push: Push) -> Fetched | Ignored:
    """A postback: the whole result of a task."""
    try:
        task = _task(orjson.loads(push.body))
    except ValueError:
        raise PushRefused(422, "This is no postback of DataForSEO: it is not JSON.") from None
    except SourceFailure as failure:
        raise PushRefused(422, str(failure)) from None
    if not _items(task):
        return Ignored("The task found no reviews.")
    return pushed.receive(push)


CONNECTOR = Connector(
    name="dataforseo",
    label="DataForSEO",
    form=DataForSEOForm,
    terms="DataForSEO sells what it collects from Google; whether Google allows you to show it is "
    "between you and Google.",
    help="You need an account at dataforseo.com with credit. Each look orders the newest reviews "
    "and fetches them when they are ready, mostly within minutes. Tasks of your own may name this "
    "source's address as “postback_url”.",
    interval_seconds=24 * 3600,
    fetch=fetch,
    receive=receive,
)
