"""How tests talk to the demo's subscriber, and wait for what it says."""

import http.client
import ssl
import time

TOPIC = "https://reviews.example/feed.xml"
CHALLENGE = {"hub.mode": "subscribe", "hub.topic": TOPIC, "hub.challenge": "echo me"}


def until(condition, meanwhile=lambda: None):
    """Wait for something that takes another thread or process a moment."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "It did not happen."
        meanwhile()
        time.sleep(0.02)


def connect(port, authority):
    return http.client.HTTPSConnection(
        "127.0.0.1", port, timeout=10, context=ssl.create_default_context(cafile=authority)
    )


def request(connection, method, target, body=None, headers=()):
    connection.request(method, target, body, dict(headers))
    response = connection.getresponse()
    return response.status, response.read()
