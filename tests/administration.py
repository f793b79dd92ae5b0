"""Helpers that read pages of the administration."""

import html
from html.parser import HTMLParser

from django.urls import reverse


def change_url(row):
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def page_html(response, status=200):
    """Return the unescaped HTML of a response with this status."""
    assert response.status_code == status
    return html.unescape(response.content.decode())


def navigation(client):
    """Map each navigation entry to the URLs of its pages, as this client's user sees them."""
    found = client.get("/admin/").context["available_apps"]
    return {str(place["name"]): [page["admin_url"] for page in place["models"]] for place in found}


def assert_refused(response, sentence):
    """Assert that the form was shown again with this sentence."""
    assert sentence in page_html(response)


def form_fields(response):
    """Return the fields that a browser would send for the page's form, without buttons."""
    form = _Form()
    form.feed(response.content.decode())
    return form.values


class _Form(HTMLParser):
    def __init__(self):
        super().__init__()
        self.values = {}
        self._select = self._textarea = None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        name, kind = attrs.get("name"), attrs.get("type", "text")
        if tag == "select":
            self._select = name
        elif tag == "option" and (self._select not in self.values or "selected" in attrs):
            self.values[self._select] = attrs["value"]
        elif tag == "textarea":
            self._textarea = name
            self.values[name] = ""
        elif tag == "input" and name and kind not in {"submit", "file"}:
            if kind != "checkbox":
                self.values[name] = attrs.get("value", "")
            elif "checked" in attrs:
                self.values[name] = attrs.get("value", "on")

    def handle_endtag(self, tag):
        if tag == "textarea":
            # Browsers drop the first line break and send the rest as CRLF.
            text = self.values[self._textarea].removeprefix("\n")
            self.values[self._textarea] = text.replace("\n", "\r\n")
            self._textarea = None

    def handle_data(self, data):
        if self._textarea:
            self.values[self._textarea] += data
