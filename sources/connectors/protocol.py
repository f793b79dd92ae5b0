"""Protocol of connectors, which poll a source or take its pushes.

A connector fetches or receives bytes that `review_exports` reads, and decides nothing else.
Schedule, claims, back-off, duplicates, reasons to hold a run, import and alarms are the same for
all connectors. A further API is a recipe (`recipes/`). If a recipe cannot express it, write a
module with one `CONNECTOR` and list it in `sources/connectors/__init__.py`. Tests serve the bodies
of a provider from loopback.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NoReturn

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext

from sources.client import SourceClient, SourceFailure
from sources.connectors.replies import Replies


class SecretField(forms.CharField):
    """A text field for a secret, hidden while it is typed and never filled in by the browser."""

    widget = forms.PasswordInput(attrs={"autocomplete": "off"})


class ConnectorForm(forms.Form):
    """The settings of one kind of source.

    Values of `secret_fields` are stored encrypted and never shown. When a connection is edited, an
    empty secret keeps its stored value, unless the host has changed. All other cleaned values are
    stored as JSON.
    """

    secret_fields: ClassVar[Sequence[str]] = ()

    def __init__(
        self,
        *args: Any,
        stored_secrets: Sequence[str] = (),
        stored_settings: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._stored_host = self.host(stored_settings or {})
        stored = [name for name in self.secret_fields if name in stored_secrets]
        # By the name of a stored secret: whether the field is required without it.
        self.stored = {name: self.fields[name].required for name in stored}
        for name in stored:
            self.fields[name].required = False
            self.fields[name].help_text = gettext("Stored. Leave it empty to keep it.")

    def clean(self) -> dict[str, Any]:
        """Require stored secrets again if they would go to another host."""
        cleaned = super().clean() or {}
        for name, is_required in self.stored.items():
            if is_required and not cleaned.get(name) and self.is_moved():
                self.add_error(name, gettext("The address is on another host. Enter this again."))
        return cleaned

    def is_moved(self) -> bool:
        """Whether the stored secrets were entered for another host."""
        host = self.host(self.settings())
        return bool(host and self._stored_host and host != self._stored_host)

    def host(self, settings: Mapping[str, Any]) -> str:
        """The host that receives the secrets, or "" if the settings do not name it."""
        return ""

    def settings(self) -> dict[str, Any]:
        """Cleaned values without secrets."""
        cleaned = self.cleaned_data.items()
        return {name: value for name, value in cleaned if name not in self.secret_fields}

    def secrets(self) -> dict[str, str]:
        """The entered secrets, and "" for stored secrets to be deleted."""
        given = {name: self.cleaned_data.get(name) or "" for name in self.secret_fields}
        forgotten = self.stored if self.is_moved() else {}
        return {name: value for name, value in given.items() if value or name in forgotten}


@dataclass(frozen=True, slots=True, kw_only=True)
class Poll:
    """Input of one poll: settings, secrets, and the state that the last poll returned."""

    settings: Mapping[str, Any]
    secrets: Mapping[str, str]
    state: Mapping[str, Any]
    client: SourceClient
    announced: str = ""  # The oldest id from a push that no poll has fetched yet.


@dataclass(frozen=True, slots=True)
class Fetched:
    """Content of a source, a file that `review_exports` reads.

    `state` is JSON and is passed to the next poll. Its member `missing`, a sentence on pages that
    cannot be read, is shown at the source and at the run. `is_whole` means that the content lists
    all reviews of the source, so that their number can be compared with the last one; leave it out
    if a page may be missing. Missing reviews are only hidden if the administrator has also marked
    the source as complete. `deleted_ids` are external ids of reviews that were deleted at the
    source; with them the content may be empty. With `is_always_new`, the content is imported even
    if it is the same as last time.
    """

    content: bytes
    file_name: str
    state: Mapping[str, Any] = field(default_factory=dict)
    is_whole: bool = False
    expected_rows: int | None = None  # Reviews that the source says it has.
    deleted_ids: Sequence[str] = ()
    is_always_new: bool = False


@dataclass(frozen=True, slots=True)
class Unchanged:
    """No new content. `state` None keeps the stored state.

    `poll_again_seconds` is the wait for an order that is not ready yet.
    """

    state: Mapping[str, Any] | None = None
    poll_again_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """A request to the push address of a connection.

    `raw_body` is the body as received. `body` is unpacked, or None if it is long: only the reader
    process parses long bodies. Header names are in lower case.
    """

    secrets: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes | None
    raw_body: bytes


@dataclass(frozen=True, slots=True)
class PollRequested:
    """A push that only announces content to fetch, with the id `announced` if it names one."""

    announced: str = ""


@dataclass(frozen=True, slots=True)
class Ignored:
    """A valid push without anything to import, like a test."""

    sentence: str = "Nothing to import."


Received = Fetched | PollRequested | Ignored
Receiver = Callable[[Push], Received]


@dataclass(frozen=True, slots=True, kw_only=True)
class Connector:
    """A kind of source.

    `fetch` polls the source. It raises `SourceFailure`, or `CredentialsRefused` if an administrator
    has to renew something. `receive` reads a push and raises `BodyRefused`. `finish` is called at
    the end of a run with the file name, its SHA-256 and the error or "". `terms` is one sentence on
    what the provider allows.
    """

    name: str
    label: str | Promise
    recipe: str = ""  # The shipped recipe of an API.
    form: type[ConnectorForm] = ConnectorForm
    terms: str | Promise = ""
    help: str | Promise = ""
    interval_seconds: int = 3600
    fetch: Callable[[Poll], Fetched | Unchanged] | None = None
    receive: Receiver | None = None
    finish: Callable[[str, str, str], None] | None = None
    replies: Replies | None = None
    grant_url_name: str = ""  # The page to grant access; takes the id of the connection.

    @property
    def is_fetched(self) -> bool:
        return self.fetch is not None

    @property
    def takes_posts(self) -> bool:
        return self.receive is not None


def refuse(sentence: str, poll: Poll) -> NoReturn:
    """Fail each poll of a connector that cannot fetch."""
    raise SourceFailure(sentence)
