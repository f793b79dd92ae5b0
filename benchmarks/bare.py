"""The anchor of the front: a WSGI function that can do nothing but give the same answers."""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

_folder = Path(os.environ["BARE_FOLDER"])
_body = (_folder / "reviews.json.gz").read_bytes()
_full = [(name, value) for name, value in json.loads((_folder / "headers.json").read_text())]
_etag = next(value for name, value in _full if name.lower() == "etag")
_unmodified = [(name, value) for name, value in _full if not name.lower().startswith("content-")]


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    if environ.get("HTTP_IF_NONE_MATCH") == _etag:
        start_response("304 Not Modified", _unmodified)
        return []
    start_response("200 OK", _full)
    return [_body]
