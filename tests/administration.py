"""How pages of the administration are read and found."""

import html
from html.parser import HTMLParser

from django.urls import reverse


def change_page(row):
    """The address of the row's form."""
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def shown(response, status=200):
    """The page as it is read."""
    assert response.status_code == status
    return html.unescape(response.content.decode())


def places(client):
    """Places of the navigation with the addresses of their pages, as this user sees them."""
    found = client.get("/admin/").context["available_apps"]
    return {str(place["name"]): [page["admin_url"] for page in place["models"]] for place in found}


def refused(response, sentence):
    """The form came back and says this."""
    assert sentence in shown(response)


def inputs(response):
    """Fields that a browser would send for the page's form, without its buttons."""
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
            # Browsers pass over the line break after the tag, and send all others as CRLF.
            text = self.values[self._textarea].removeprefix("\n")
            self.values[self._textarea] = text.replace("\n", "\r\n")
            self._textarea = None

    def handle_data(self, data):
        if self._textarea:
            self.values[self._textarea] += data
