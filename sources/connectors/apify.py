"""Apify: the results of a task's, or an Actor's, last successful run.

The webhook of a run only says that there are results; they are fetched by the ids that are stored
here, never from an address in the body.
"""

import re
from typing import ClassVar
from urllib.parse import quote, urlencode

import orjson
from django import forms
from django.core.exceptions import ValidationError

from sources.connectors.protocol import (
    Connector,
    ConnectorForm,
    Fetched,
    Ignored,
    Look,
    PollRequested,
    Push,
    SecretField,
    Unchanged,
)
from sources.failures import PushRefused, SourceFailure

API = "https://api.apify.com/v2"
SUCCEEDED = "ACTOR.RUN.SUCCEEDED"
_TARGETS = (
    ("actor-tasks", re.compile(r"(?:.*/)?(?:actors/tasks|actor-tasks|tasks)/([\w.~-]+)")),
    ("acts", re.compile(r"(?:.*/)?(?:actors|acts)/([\w.~-]+)")),
)
_TASK = re.compile(r"[\w.-]+(?:[~/][\w.-]+)?")


class ApifyForm(ConnectorForm):
    """A task or an Actor, and a token of the account."""

    secret_fields: ClassVar[tuple[str, ...]] = ("token",)

    task = forms.CharField(
        label="Task",
        max_length=300,
        help_text="Its address in Apify's console, or its name like “you~google-reviews”. Give the "
        "task a schedule there: new results are fetched here, not ordered.",
    )
    token = SecretField(
        label="API token", help_text="In Apify's console under “Settings”, “API & Integrations”."
    )

    def clean_task(self) -> str:
        """The path of the task or Actor in Apify's API."""
        given: str = self.cleaned_data["task"].strip()
        for collection, pattern in _TARGETS:
            if found := pattern.match(given):
                return f"{collection}/{found[1]}"
        if _TASK.fullmatch(given):
            return f"actor-tasks/{given.replace('/', '~')}"
        raise ValidationError(
            "This is neither the address nor the name of a task. Open the task in Apify's console "
            "and copy the address from the browser."
        )


def fetch(look: Look) -> Fetched | Unchanged:
    """The items of the last successful run."""
    query = urlencode({"status": "SUCCEEDED", "format": "json", "clean": "1"})
    target = quote(look.settings["task"], safe="/~")
    answer = look.client.get(
        f"{API}/{target}/runs/last/dataset/items?{query}",
        secret_headers={"Authorization": f"Bearer {look.secrets['token']}"},
        etag=look.state.get("etag", ""),
    )
    if answer.is_unchanged:
        return Unchanged()
    items = answer.json()
    if not isinstance(items, list):
        raise SourceFailure("Apify did not answer with a list of results. Check the task.")
    if not items:
        return Unchanged({"etag": answer.etag})
    return Fetched(answer.content, file_name="apify.json", state={"etag": answer.etag})


def receive(push: Push) -> PollRequested | Ignored:
    """The end of a run: results are there if it succeeded."""
    try:
        event = orjson.loads(push.body)
        kind = event["eventType"]
    except (ValueError, KeyError, TypeError):
        raise PushRefused(
            422,
            "This is no webhook of Apify: the member “eventType” is missing. Leave the payload "
            "template as Apify fills it in.",
        ) from None
    if kind != SUCCEEDED:
        return Ignored("Only runs that succeeded are fetched.")
    return PollRequested()


CONNECTOR = Connector(
    name="apify",
    label="Apify",
    form=ApifyForm,
    terms="Apify sells access to scrapers; whether a site allows its reviews to be collected and "
    "shown is between you and that site.",
    help="You need an account at apify.com and a task with a schedule, such as one of “Google Maps "
    "Reviews Scraper”. To have results fetched at once, add a webhook for “Run succeeded” with "
    "this source's address.",
    interval_seconds=6 * 3600,
    fetch=fetch,
    receive=receive,
)
