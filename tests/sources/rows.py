"""Connections for tests, and files of reviews as sources answer them."""

from typing import Any

import orjson

from review_exports import Confirmation
from review_exports.rows import shape_key
from reviews.models import ConfirmedShape
from sources import services
from sources.kinds import KINDS
from sources.models import SourceConnection
from tests.sources.servers import MakerServer


def make_connection(
    kind: str = "url", *, source: str = "google", accept: bool = True, **given: Any
) -> SourceConnection:
    """A connection as its form stores it; what is no setting of the kind is a field."""
    form_class = KINDS[kind].form
    form = form_class({name: given.pop(name) for name in form_class.base_fields if name in given})
    assert form.is_valid(), form.errors
    options = {"accept": accept} | ({"source": source} if source else {})
    connection = SourceConnection(
        name=given.pop("name", "Sheet"), kind=kind, import_options=options, **given
    )
    return services.save_connection(connection, form)


def confirm_entries() -> None:
    """Confirm the layout of `entries`, as a person did for an earlier file."""
    meaning = {"id": "review_id", **{name: name for name in ("author", "rating", "date", "text")}}
    ConfirmedShape.objects.create(
        key=shape_key(meaning),
        confirmation=Confirmation(columns=meaning, worst_rating=1, best_rating=5).as_json(),
        file_name="r.json",
    )


def make_url_connection(maker: MakerServer, path: str = "/r.json", **given: Any):
    return make_connection(address=maker.url(path), **given)


def entry(number: int, **values: Any) -> dict[str, Any]:
    """One review, as a table of one's own may hold it."""
    return {
        "id": f"id-{number}",
        "author": f"Author {number}",
        "rating": 5,
        "date": f"2026-{1 + number // 28 % 9:02}-{1 + number % 28:02}",
        "text": f"Text {number} of an invented review.",
    } | values


def entries(count: int, **values: Any) -> bytes:
    return orjson.dumps([entry(number, **values) for number in range(count)])
