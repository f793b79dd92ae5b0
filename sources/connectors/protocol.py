"""The protocol of connectors: how a source is looked at, or pushes reviews.

A connector fetches or receives bytes that `review_exports` reads, and decides nothing else:
schedule, claims, back-off, duplicates, reasons to hold a run, import and alarms are the same for
all. The API of one more maker is a recipe (`recipes/`); what no recipe can say is a module with one
`CONNECTOR`, listed in `sources/connectors/__init__.py`. Tests serve a maker's bodies from loopback.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext

from sources.client import SourceClient
from sources.connectors.replies import Replies


class SecretField(forms.CharField):
    """A secret: hidden while it is typed, and never filled in by the browser."""

    widget = forms.PasswordInput(attrs={"autocomplete": "off"})


class ConnectorForm(forms.Form):
    """The settings of one kind of source.

    Values of `secret_fields` are stored encrypted and never shown; when a connection is edited, an
    empty one keeps the stored value, unless it would go to another host. All other cleaned values
    are stored as JSON.
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
        self.stored = {name: self.fields[name].required for name in stored}  # Whether required.
        for name in stored:
            self.fields[name].required = False
            self.fields[name].help_text = gettext("Stored. Leave it empty to keep it.")

    def clean(self) -> dict[str, Any]:
        """Ask for stored secrets again where they would go to another host."""
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
        """Where secrets go, as the settings tell it; "" where they do not."""
        return ""

    def settings(self) -> dict[str, Any]:
        """Cleaned values that are no secrets."""
        cleaned = self.cleaned_data.items()
        return {name: value for name, value in cleaned if name not in self.secret_fields}

    def secrets(self) -> dict[str, str]:
        """Secrets that were entered; "" for stored ones to be forgotten."""
        given = {name: self.cleaned_data.get(name) or "" for name in self.secret_fields}
        forgotten = self.stored if self.is_moved() else {}
        return {name: value for name, value in given.items() if value or name in forgotten}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look at a source: its settings, and the state that the last look returned."""

    settings: Mapping[str, Any]
    secrets: Mapping[str, str]
    state: Mapping[str, Any]
    client: SourceClient
    announced: str = ""  # The oldest id that a push has named and no look has dealt with.


@dataclass(frozen=True, slots=True)
class Fetched:
    """Content of a source, as a file that `review_exports` reads.

    `state` is passed to the next look; JSON. Its member `missing`, a sentence on pages that cannot
    be read, is shown at the source and at the run. `is_whole`: the content lists all reviews that
    there are, so that it may be compared with the last time; only with the administrator's "this
    source is complete" are the missing ones hidden. Leave it out where a page may be missing.
    `deleted_ids` are external ids of reviews that the source says were deleted; with them the
    content may be empty. `is_always_new`: import it also when the bytes are the same as last time.
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
    """Nothing new; `state` None keeps the stored one.

    `look_again_seconds`: what was ordered is not ready yet, so the next look is soon.
    """

    state: Mapping[str, Any] | None = None
    look_again_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """A body that was posted to a connection's address; `raw_body` as it came, `body` unpacked.

    `body` is None for a long one, which the reader process alone opens. Header names are in lower
    case.
    """

    secrets: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes | None
    raw_body: bytes


@dataclass(frozen=True, slots=True)
class PollRequested:
    """A push that only says that there is something to fetch, by the id `announced` if given."""

    announced: str = ""


@dataclass(frozen=True, slots=True)
class Ignored:
    """A push that is right, but holds nothing to import, like a test."""

    sentence: str = "Nothing to import."


Received = Fetched | PollRequested | Ignored
Receiver = Callable[[Push], Received]


@dataclass(frozen=True, slots=True, kw_only=True)
class Connector:
    """A kind of source.

    `fetch` looks at the source; raises `SourceFailure`, or `CredentialsRefused` where a person has
    to renew something. `receive` reads a push; raises `BodyRefused`. `finish` is called when a run
    has ended, with the name of the file, its SHA-256, and why it failed or "". `terms` is one
    sentence on what the maker allows.
    """

    name: str
    label: str | Promise
    recipe: str = ""  # The shipped recipe of an API.
    form: type[ConnectorForm] = ConnectorForm
    terms: str | Promise = ""
    help: str | Promise = ""
    interval_seconds: int = 3600
    fetch: Callable[[Look], Fetched | Unchanged] | None = None
    receive: Receiver | None = None
    finish: Callable[[str, str, str], None] | None = None
    replies: Replies | None = None
    grant_url_name: str = ""  # A page where a person grants access; takes the connection's id.

    @property
    def is_fetched(self) -> bool:
        """Whether sources of this kind are looked at."""
        return self.fetch is not None

    @property
    def takes_posts(self) -> bool:
        """Whether sources of this kind have an address to which others post."""
        return self.receive is not None
