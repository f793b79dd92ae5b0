"""The document `/.well-known/openapi.json`: a file of ours with this installation's address."""

import datetime as dt
import json
from pathlib import Path

from django.conf import settings

FILE = Path(__file__).with_name("openapi.json")
BASE_URL = b"{base_url}"


def build(changed_at: dt.datetime) -> bytes:
    """The description of the interface; no row changes it."""
    # Written into JSON strings, so escaped as one.
    base_url = json.dumps(settings.BASE_URL)[1:-1].encode()
    return FILE.read_bytes().rstrip(b"\n").replace(BASE_URL, base_url)
