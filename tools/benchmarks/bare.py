"""Anchor of the documents: a WSGI function that only returns fixed responses."""

import json
import os
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Any

_folder = Path(os.environ["BARE_FOLDER"])
_body = (_folder / "reviews.json.gz").read_bytes()
_headers = {
    status: [(name, value) for name, value in headers]
    for status, headers in json.loads((_folder / "headers.json").read_text()).items()
}
_etag = dict(_headers["304 Not Modified"])["etag"]
_numbers = count(1)


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    is_held = environ.get("HTTP_IF_NONE_MATCH") == _etag
    status = "304 Not Modified" if is_held else "200 OK"
    # Like the service, give each response its own id.
    start_response(status, [*_headers[status], ("x-request-id", f"bare.{next(_numbers)}")])
    return [] if is_held else [_body]
