"""Another installation of this project: its `/reviews.json`, by conditional requests."""

from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError

from sources.connectors.protocol import Connector, ConnectorForm, Fetched, Look, Unchanged
from sources.failures import SourceFailure

PATH = "/reviews.json"


class ReviewsForm(ConnectorForm):
    """The address of the other installation."""

    address = forms.URLField(
        label="Address of the other installation",
        assume_scheme="https",
        help_text="Its front page, like https://reviews.example.com.",
    )

    def clean_address(self) -> str:
        """The address without a path of one of its documents."""
        parts = urlsplit(self.cleaned_data["address"])
        if parts.username is not None:
            raise ValidationError("Enter the address without a user name.")
        path = parts.path.removesuffix(PATH).rstrip("/")
        return str(parts._replace(path=path, query="", fragment="").geturl())


def fetch(look: Look) -> Fetched | Unchanged:
    """The reviews, if they changed."""
    answer = look.client.get(f"{look.settings['address']}{PATH}", etag=look.state.get("etag", ""))
    if answer.is_unchanged:
        return Unchanged()
    if answer.is_page:
        raise SourceFailure(
            "The address answers with a web page instead of reviews. Enter the front page of an "
            "installation of Reviews."
        )
    return Fetched(
        answer.content, file_name="reviews.json", state={"etag": answer.etag}, is_whole=True
    )


CONNECTOR = Connector(
    name="reviews",
    label="Another installation of Reviews",
    form=ReviewsForm,
    terms="Its owner decides what may be shown elsewhere.",
    help="A mirror, a staging copy, or an overview of several businesses. All that the other "
    "installation publishes is taken over.",
    interval_seconds=3600,
    fetch=fetch,
)
