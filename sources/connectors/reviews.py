"""Another installation of this project: its `/reviews.json`, by conditional requests."""

from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from sources.connectors.protocol import Connector, ConnectorForm, Fetched, Look, Unchanged
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
        """The address without a path of one of its documents."""
        parts = urlsplit(self.cleaned_data["address"])
        if parts.username is not None:
            raise ValidationError(gettext("Enter the address without a user name."))
        path = parts.path.removesuffix(PATH).rstrip("/")
        return str(parts._replace(path=path, query="", fragment="").geturl())


def fetch(look: Look) -> Fetched | Unchanged:
    """The reviews, if they changed."""
    return fetch_file(look, f"{look.settings['address']}{PATH}")


CONNECTOR = Connector(
    name="reviews",
    label=_("Another installation of Reviews"),
    form=ReviewsForm,
    terms=_("Its owner decides what may be shown elsewhere."),
    help=_(
        "A mirror, a staging copy, or an overview of several businesses. All that the other "
        "installation publishes is taken over."
    ),
    interval_seconds=3600,
    fetch=fetch,
)
