"""Requests of tests to the demo subscriber."""

import http.client
import ssl

TOPIC = "https://reviews.example/feed.xml"
CHALLENGE = {"hub.mode": "subscribe", "hub.topic": TOPIC, "hub.challenge": "echo me"}


def connect(port, authority):
    return http.client.HTTPSConnection(
        "127.0.0.1", port, timeout=10, context=ssl.create_default_context(cafile=authority)
    )


def request(connection, method, target, body=None, headers=()):
    connection.request(method, target, body, dict(headers))
    response = connection.getresponse()
    return response.status, response.read()
