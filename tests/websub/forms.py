"""Parse forms of subscription requests without HTTP."""

from urllib.parse import urlencode

import pytest

from guarded_http.client import Client
from guarded_http.urls import check_url
from websub.protocol import FORM, RequestRefused, parse_request, read_form

BASE = "https://reviews.example"
TOPICS = (f"{BASE}/feed.xml", f"{BASE}/feed.json", f"{BASE}/reviews.json")
CLIENT = Client("tests", ports={443, 8443})
CALLBACK = "https://hooks.example.com/cb"
VALID = {"hub.mode": "subscribe", "hub.callback": CALLBACK, "hub.topic": TOPICS[0]}


def parse(body, content_type=FORM):
    fields = read_form(content_type, body)
    return parse_request(fields, topics=TOPICS, host_of=lambda url: check_url(url, CLIENT)[0])


def form(**changes):
    """Return a valid body with changed fields. None removes a field."""
    fields = VALID | {f"hub.{name}": value for name, value in changes.items()}
    return urlencode({name: value for name, value in fields.items() if value is not None}).encode()


def refusal(body, content_type=FORM):
    with pytest.raises(RequestRefused) as refused:
        parse(body, content_type)
    return refused.value.status, str(refused.value)
