"""Stored reviews in the thousands, as an import compares them.

Bare rows take half the time of `values_list`.
"""

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import connection

from review_exports.records import Record
from reviews.imports.merge import FIELDS, StoredReview

Key = tuple[str, str]
_LISTS = frozenset({"named_technicians", "named_services", "edited_fields"})
_COLUMNS = (
    "id",
    "ulid",
    "source",
    *FIELDS,
    "edited_fields",
    "hidden",
    "changed_by_batch_id",
    "modified_at",
    "is_author_forgotten",
    "external_id",
)
_PLAIN = slice(3, len(FIELDS))  # Of `FIELDS` the last three are no plain values.


def find(records: Sequence[Record]) -> tuple[dict[str, StoredReview], dict[Key, StoredReview]]:
    """Stored reviews that may be those of the records, by our own id and by merge key."""
    by_source: dict[str, list[str]] = defaultdict(list)
    for record in records:
        by_source[record.source].append(record.external_id)
    by_key = {
        (source, external_id): stored
        for source, external_ids in by_source.items()
        for external_id, stored in _with_keys(source, external_ids)
    }
    ulids = [record.ulid for record in records if record.ulid]
    by_ulid = {stored.ulid: stored for _, stored in _with("ulid", ulids)} if ulids else {}
    return by_ulid, by_key


def lock(known: Iterable[StoredReview]) -> dict[int, StoredReview]:
    """These reviews as they are now, held until the end of the transaction."""
    if not connection.features.has_select_for_update:
        return {stored.id: stored for stored in known}  # Nobody else has written since.
    return stored_reviews([stored.id for stored in known], locked=True)


def stored_reviews(ids: Sequence[int], *, locked: bool = False) -> dict[int, StoredReview]:
    """The reviews as they are now; `locked` ones are held until the end of the transaction."""
    return {stored.id: stored for _, stored in _with("id", ids, locked=locked)}


def _with_keys(source: str, external_ids: list[str]) -> Iterator[tuple[str, StoredReview]]:
    if connection.vendor != "postgresql":
        return _with("external_id", external_ids, "AND source = %s", source)
    # LIMIT makes PostgreSQL look up each key by itself. From a plain IN it may read all reviews of
    # the source instead, as it does in the midst of a large first import: 0.3 s for each portion.
    return _read(
        "unnest(%s::text[]) AS wanted CROSS JOIN LATERAL (SELECT * FROM reviews_review"
        " WHERE source = %s AND external_id = wanted LIMIT 1) AS stored",
        [external_ids, source],
    )


def _with(
    column: str, values: Sequence[int | str], and_: str = "", *more: str, locked: bool = False
) -> Iterator[tuple[str, StoredReview]]:
    """Stored reviews that have one of these values."""
    wanted, parameter = one_of(values)
    for_update = (
        " ORDER BY id FOR NO KEY UPDATE"
        if locked and connection.features.has_select_for_update
        else ""
    )
    return _read(f"reviews_review WHERE {column} {wanted} {and_}{for_update}", [parameter, *more])


def _read(where: str, parameters: Sequence[Any]) -> Iterator[tuple[str, StoredReview]]:
    """Stored reviews with their external ids.

    Lists are read as the JSON text they are stored as, for nearly all are empty.
    """
    text = "::text" if connection.vendor == "postgresql" else ""
    columns = (f"{name}{text}" if name in _LISTS else name for name in _COLUMNS)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)} FROM {where}", parameters)  # noqa: S608
        for row in cursor.fetchall():
            updated_at, technicians, services, edited, hidden, batch_id, modified_at = row[-9:-2]
            is_forgotten, key = row[-2:]
            values = (*row[_PLAIN], _moment(updated_at), _list(technicians), _list(services))
            about = (_list(edited), hidden, batch_id, _moment(modified_at), is_forgotten)
            yield key, StoredReview(row[0], row[1], row[2], values, *about)


def _moment(stored: dt.datetime | None) -> dt.datetime | None:
    """A moment, which SQLite keeps without its zone."""
    return stored.replace(tzinfo=dt.UTC) if stored and stored.tzinfo is None else stored


def _list(text: str) -> list[str]:
    names: list[str] = [] if text == "[]" else json.loads(text)
    return names


def one_of(values: Sequence[int | str]) -> tuple[str, Any]:
    """SQL and its one parameter for "a column has one of these values"."""
    if connection.vendor == "postgresql":
        return "= ANY(%s)", list(values)
    return "IN (SELECT value FROM json_each(%s))", json.dumps(values)
