"""Helpers for pages of the hub's administration."""

import datetime as dt
import html

NOW = dt.datetime(2026, 5, 1, 10, tzinfo=dt.UTC)
SUBSCRIPTIONS = "/admin/websub/subscription/"
ATTEMPTS = "/admin/websub/attempt/"
VERIFICATIONS = "/admin/websub/verification/"
LISTS = [SUBSCRIPTIONS, ATTEMPTS, VERIFICATIONS]
CALLBACK = "https://hooks.tern.example/receive/path?token=capability"


def hub_page_html(client, address, status=200, **data):
    response = client.get(address, data)
    assert response.status_code == status
    return " ".join(html.unescape(response.content.decode()).split())


def act(client, action, *rows, **more):
    data = {"action": action, "_selected_action": [row.pk for row in rows], **more}
    response = client.post(SUBSCRIPTIONS, data, follow=True)
    assert response.status_code == 200
    return " ".join(html.unescape(response.content.decode()).split())
