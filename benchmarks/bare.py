"""The anchor of the front: a WSGI function that can do nothing but give the same answers."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

_folder = Path(os.environ["BARE_FOLDER"])
_body = (_folder / "reviews.json.gz").read_bytes()
_etag = os.environ["BARE_ETAG"]
_common = [
    ("ETag", _etag),
    ("Cache-Control", "public, max-age=60, stale-while-revalidate=300"),
    ("Vary", "Accept-Encoding"),
    ("Access-Control-Allow-Origin", "*"),
    ("X-Content-Type-Options", "nosniff"),
]
_full = [
    *_common,
    ("Content-Type", "application/json"),
    ("Content-Encoding", "gzip"),
    ("Content-Length", str(len(_body))),
]


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    if environ.get("HTTP_IF_NONE_MATCH") == _etag:
        start_response("304 Not Modified", _common)
        return ()
    start_response("200 OK", _full)
    return (_body,)
