"""The protocol of kinds: how a maker's source is looked at, or pushes reviews.

A kind is a module of `sources.connectors` that defines one `CONNECTOR`. It fetches or receives bytes that
`review_exports` reads, and decides nothing else: schedule, claims, back-off, duplicates, guards,
import and alarms are the same for all kinds. For example:

    class ExampleForm(ConnectorForm):
        place = forms.CharField(help_text="The number in the address of your page.")
        key = forms.CharField(help_text="Under “Account”, “API key”.")
        secret_fields = ("key",)


    def fetch(look: Look) -> Fetched | Unchanged:
        answer = look.client.get(
            f"https://api.example.com/places/{quote(look.settings['place'])}/reviews",
            secret_headers={"Authorization": f"Bearer {look.secrets['key']}"},
            etag=look.state.get("etag", ""),
        )
        if answer.is_unchanged:
            return Unchanged()
        body = answer.json()
        if error := body.get("error"):  # A 200 with an error inside.
            raise SourceFailure(f"Example says: {shown(error)}. Check the place.")
        return Fetched(
            answer.content,
            file_name="example.json",
            state={"etag": answer.etag},
            is_whole=True,
            expected_rows=body.get("total"),
        )


    CONNECTOR = Connector(
        name="example",
        label="Example",
        form=ExampleForm,
        terms="Example allows its customers to republish their own reviews (example.com/terms).",
        fetch=fetch,
    )

Then the module is listed in `sources/connectors/__init__.py`. Its test serves the maker's body from a
server on loopback (`tests/sources/`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django import forms
from django.utils import timezone

from sources.client import SourceClient
from sources.failures import SourceFailure


class SecretField(forms.CharField):
    """A secret: hidden while it is typed, and never filled in by the browser."""

    widget = forms.PasswordInput(attrs={"autocomplete": "off"})


def place_id_field() -> forms.CharField:
    """The place id of Google, where another field may be filled in instead."""
    return forms.CharField(
        label="Place id",
        max_length=300,
        required=False,
        help_text="Of your business on Google Maps; it begins with “ChIJ”.",
    )


class ConnectorForm(forms.Form):
    """The settings of one kind of source.

    Values of `secret_fields` are stored encrypted and never shown; when a connection is edited, an
    empty one keeps the stored value. All other cleaned values are stored as JSON.
    """

    secret_fields: ClassVar[Sequence[str]] = ()

    def __init__(self, *args: Any, stored_secrets: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.secret_fields:
            if name in stored_secrets and name in self.fields:
                self.fields[name].required = False
                self.fields[name].help_text = "Stored. Leave it empty to keep it."

    def settings(self) -> dict[str, Any]:
        """Cleaned values that are no secrets."""
        cleaned = self.cleaned_data.items()
        return {name: value for name, value in cleaned if name not in self.secret_fields}

    def secrets(self) -> dict[str, str]:
        """Cleaned secrets that were entered."""
        given = {name: self.cleaned_data.get(name) for name in self.secret_fields}
        return {name: value for name, value in given.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look at a source: its settings, and the state that the last look returned."""

    connection_id: int
    settings: Mapping[str, Any]
    secrets: Mapping[str, str]
    state: Mapping[str, Any]
    client: SourceClient
    announced: str = ""  # The oldest id that a push has named and no look has dealt with.
    push_address: str = ""  # Where others post to this connection, if its kind takes posts.


@dataclass(frozen=True, slots=True)
class Fetched:
    """Content of a source, as a file that `review_exports` reads.

    `state` is passed to the next look; JSON. `is_whole`: the content lists all reviews that there
    are, so that it may be compared with the last time; only with the administrator's "this source
    is complete" are the missing ones hidden. Leave it out where a page may be missing.
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


def ordered(
    look: Look, key: str, identifier: str, *, poll_seconds: float, longest_seconds: float, late: str
) -> Unchanged:
    """Wait for what was ordered, by its identifier under `key` of the state.

    Raises `SourceFailure` with the sentence `late` after the longest time; the next look orders it
    again then.
    """
    now = timezone.now().timestamp()
    is_same = look.state.get(key) == identifier
    since = look.state.get("since", now) if is_same else now
    if now - since > longest_seconds:
        raise SourceFailure(late, state={})
    return Unchanged({key: identifier, "since": since}, look_again_seconds=poll_seconds)


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that has ended: the file that was fetched, and why it failed, or ""."""

    file_name: str
    sha256: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """A body that was posted to a connection's address; `body` is unpacked, `raw_body` as it came.

    Header names are in lower case.
    """

    settings: Mapping[str, Any]
    secrets: Mapping[str, str]
    state: Mapping[str, Any]
    headers: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes
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
    """One kind of source.

    `fetch` looks at the source; raises `SourceFailure`, or `CredentialsRefused` where a person has
    to renew something. `receive` reads a push; raises `PushRefused`. `finish` is called with the
    look's settings, the run's file name and the error, or "", when a run has ended. `verify`
    answers a GET of the address of pushes, as WebSub asks for; None is the plain answer. `terms` is
    one sentence on what the maker allows.
    """

    name: str
    label: str
    form: type[ConnectorForm]
    terms: str = ""
    help: str = ""
    interval_seconds: int = 3600
    fetch: Callable[[Look], Fetched | Unchanged] | None = None
    receive: Receiver | None = None
    finish: Callable[[Finished], None] | None = None
    verify: Callable[[Push], str | None] | None = None
    grant_url_name: str = ""  # A page where a person grants access; takes the connection's id.

    @property
    def is_fetched(self) -> bool:
        """Whether sources of this kind are looked at."""
        return self.fetch is not None

    @property
    def takes_posts(self) -> bool:
        """Whether sources of this kind have an address to which others post."""
        return self.receive is not None
