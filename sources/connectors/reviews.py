"""Fetch `/reviews.json` of another installation of this project by conditional requests."""

from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from sources.connectors.protocol import Connector, ConnectorForm, Fetched, Poll, Unchanged
from sources.connectors.url import fetch_file

PATH = "/reviews.json"


class ReviewsForm(ConnectorForm):
    """The address of the other installation."""

    address = forms.URLField(
        label=_("Address of the other installation"),
        assume_scheme="https",
        help_text=_("Its front page, like https://reviews.example.com."),
    )

    def clean_address(self) -> str:
        """Return the base address, without the path of a document."""
        parts = urlsplit(self.cleaned_data["address"])
        if parts.username is not None:
            raise ValidationError(gettext("Enter the address without a user name."))
        path = parts.path.removesuffix(PATH).rstrip("/")
        return str(parts._replace(path=path, query="", fragment="").geturl())


def fetch(poll: Poll) -> Fetched | Unchanged:
    return fetch_file(poll, f"{poll.settings['address']}{PATH}")


CONNECTOR = Connector(
    name="reviews",
    label=_("Another installation of Reviews"),
    form=ReviewsForm,
    terms=_("Its owner decides what may be shown elsewhere."),
    help=_(
        "A mirror, a staging copy, or an overview of several businesses. Everything that "
        "the other installation publishes is imported."
    ),
    fetch=fetch,
)
