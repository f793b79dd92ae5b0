"""Forms of subscription requests, parsed without HTTP."""

from urllib.parse import urlencode

import pytest

from guarded_http.addresses import parse_ports
from guarded_http.urls import Policy
from websub.protocol import FORM, RequestRefused, parse_request, read_form

BASE = "https://reviews.example"
TOPICS = (f"{BASE}/feed.xml", f"{BASE}/feed.json", f"{BASE}/reviews.json")
POLICY = Policy(
    own_hosts=frozenset({"reviews.example"}), own_port=443, ports=parse_ports("443,8443")
)
CALLBACK = "https://hooks.example.com/cb"
VALID = {"hub.mode": "subscribe", "hub.callback": CALLBACK, "hub.topic": TOPICS[0]}


def parse(body, content_type=FORM):
    return parse_request(read_form(content_type, body), topics=TOPICS, policy=POLICY)


def form(**changes):
    """A valid body with changes, by name without `hub.`; None leaves a field out."""
    fields = VALID | {f"hub.{name}": value for name, value in changes.items()}
    return urlencode({name: value for name, value in fields.items() if value is not None}).encode()


def refusal(body, content_type=FORM):
    with pytest.raises(RequestRefused) as refused:
        parse(body, content_type)
    return refused.value.status, str(refused.value)
