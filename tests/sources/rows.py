"""Connections for tests, and files of reviews as sources return them."""

from typing import Any

import orjson
from django.test import Client

from imports.models import ConfirmedShape
from review_exports import Confirmation
from review_exports.rows import shape_key
from sources import services
from sources.connectors import CONNECTORS, RECIPES, connector_of
from sources.connectors.protocol import ConnectorForm
from sources.models import SourceConnection
from sources.selectors import push_address
from tests.sources.servers import MakerServer


def make_connection(
    kind: str = "url", *, source: str = "google", accept: bool = True, **given: Any
) -> SourceConnection:
    """Create a connection as its form does. Unknown settings are fields."""
    form = make_form(kind, given)
    assert form.is_valid(), form.errors
    given = {name: value for name, value in given.items() if name not in form.fields}
    options = {"accept": accept} | ({"source": source} if source else {})
    connection = SourceConnection(
        name=given.pop("name", "Sheet"),
        kind=CONNECTORS[kind].name if kind in CONNECTORS else "api",
        import_options=options,
        **given,
    )
    return services.save_connection(connection, form)


def confirm_entries() -> None:
    """Confirm the layout of `entries`, as for an earlier file."""
    meaning = {"id": "review_id", **{name: name for name in ("author", "rating", "date", "text")}}
    ConfirmedShape.objects.create(
        key=shape_key(meaning),
        confirmation=Confirmation(columns=meaning, worst_rating=1, best_rating=5).as_json(),
        file_name="r.json",
    )


def make_form(kind: str, given: dict[str, Any]) -> ConnectorForm:
    """Return the form of a kind or shipped recipe with values."""
    chosen = {"recipe": kind} if kind in RECIPES else {}
    if "recipe_text" in given:
        chosen = {"recipe_text": given["recipe_text"]}
    connector = connector_of(SourceConnection(kind="api" if chosen else kind, settings=chosen))
    assert connector
    return connector.form(given)


def make_url_connection(maker: MakerServer, path: str = "/r.json", **given: Any):
    return make_connection(address=maker.url(path), **given)


def post(client: Client, connection: SourceConnection, body: Any, **given: Any) -> Any:
    """Push a body to the URL of a source, as bytes or JSON."""
    content = body if isinstance(body, bytes) else orjson.dumps(body)
    path = push_address(connection).removeprefix("https://reviews.example")
    return client.post(path, content, **({"content_type": "application/json"} | given))


def entry(number: int, **values: Any) -> dict[str, Any]:
    """Return one review of a custom table."""
    return {
        "id": f"id-{number}",
        "author": f"Author {number}",
        "rating": 5,
        "date": f"2026-{1 + number // 28 % 9:02}-{1 + number % 28:02}",
        "text": f"Text {number} of an invented review.",
    } | values


def entries(count: int, **values: Any) -> bytes:
    return orjson.dumps([entry(number, **values) for number in range(count)])
