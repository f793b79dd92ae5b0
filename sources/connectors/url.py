"""Fetch a file from an address: a Google Sheet, Dropbox, S3, an Apify dataset, any web server.

The address that people copy from the browser is converted to the one of the file itself.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from sources.client import Response, SourceFailure, host_of, origin_of
from sources.connectors.paging import follow
from sources.connectors.protocol import (
    Connector,
    ConnectorForm,
    Fetched,
    Poll,
    SecretField,
    Unchanged,
)

MAX_ADDRESS = 2048
_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|[0-9a-f:.]*:[0-9a-f:.]*")
_OWN_HEADERS = "host|content-length|connection|transfer-encoding|te"
_HEADER_NAME = RegexValidator(
    rf"(?i)\A(?!(?:{_OWN_HEADERS})\Z)[A-Z0-9!#$%&'*+.^_`|~-]{{1,64}}\Z",
    _("This is not a header that can be set. Try Authorization."),
)
_HEADER_VALUE = RegexValidator(
    r"\A[\x20-\x7e]{1,4096}\Z",
    _("The value must be one line of plain letters, digits and signs."),
)

NOT_SHARED = (
    "Google answers with a page to sign in: this sheet is not shared. In the sheet choose “Share”, "
    "“Anyone with the link”, or “File”, “Share”, “Publish to web”."
)


# --- Addresses copied from the browser ------------------------------------------------------------


def export_address(address: str) -> str:
    """Convert a copied address to the one of the file. Raises ValueError with a sentence."""
    address = address.strip()
    if address.lower().startswith("s3://"):
        bucket, _, key = address[5:].partition("/")
        address = f"https://{bucket}.s3.amazonaws.com/{quote(key, safe='/%')}"
    try:
        address = iri_to_uri(_with_ascii_host(address)) or ""
        parts = urlsplit(address)
        _ = parts.port
    except (UnicodeError, ValueError):
        message = "This is not an address. Copy it from the browser's address bar."
        raise ValueError(message) from None
    host = parts.hostname or ""
    if parts.scheme not in {"http", "https"} or not _HOST.fullmatch(host):
        raise ValueError("Enter a complete address, like https://example.com/reviews.csv.")
    if parts.username is not None or parts.password is not None:
        raise ValueError(
            "The address must not contain a user name or password. Enter them as the header "
            "Authorization."
        )
    for hosts, convert in _CONVERSIONS:
        if hosts.fullmatch(host):
            address = convert(parts)
    address = address.partition("#")[0]
    if len(address) > MAX_ADDRESS:
        raise ValueError(f"The address is longer than {MAX_ADDRESS} characters.")
    return address


def _with_ascii_host(address: str) -> str:
    parts = urlsplit(address)
    host = parts.hostname or ""
    if host.isascii():
        return address
    authority = parts.netloc.replace(host, host.encode("idna").decode(), 1)
    return parts._replace(netloc=authority).geturl()


def _sheet(parts: SplitResult) -> str:
    """Return the CSV export of a shared or published Google Sheet."""
    given = {**dict(parse_qsl(parts.query)), **dict(parse_qsl(parts.fragment))}
    tab = {"gid": given["gid"]} if given.get("gid") else {}
    base = f"https://{parts.netloc}"
    if found := re.match(r"/spreadsheets/d/e/([^/]+)/pub", parts.path):
        one_tab = {**tab, "single": "true"} if tab else {}
        query = urlencode({**one_tab, "output": "csv"})
        return f"{base}/spreadsheets/d/e/{found[1]}/pub?{query}"
    if "/export" in parts.path or "/gviz/" in parts.path:
        return parts.geturl()
    if found := re.match(r"/spreadsheets/(?:u/\d+/)?d/([^/]+)", parts.path):
        return f"{base}/spreadsheets/d/{found[1]}/export?{urlencode({'format': 'csv', **tab})}"
    return parts.geturl()


def _drive(parts: SplitResult) -> str:
    """Return the download of a file shared on Google Drive."""
    found = re.match(r"/file/d/([^/]+)", parts.path)
    identifier = found[1] if found else dict(parse_qsl(parts.query)).get("id")
    if not identifier:
        return parts.geturl()
    query = urlencode({"export": "download", "id": identifier})
    return f"https://drive.google.com/uc?{query}"


def _dropbox(parts: SplitResult) -> str:
    """Return the download of a file shared on Dropbox."""
    query = {
        name: text
        for name, text in dict(parse_qsl(parts.query)).items()
        if name not in {"dl", "raw"}
    }
    return parts._replace(query=urlencode({**query, "dl": "1"})).geturl()


def _s3_console(parts: SplitResult) -> str:
    """Return the address of an object in the AWS console."""
    query = dict(parse_qsl(parts.query))
    found = re.search(r"/s3/object/([^/]+)", parts.path)
    if not found or not query.get("prefix"):
        return parts.geturl()
    region = f".{query['region']}" if query.get("region") else ""
    return f"https://{found[1]}.s3{region}.amazonaws.com/{quote(query['prefix'], safe='/')}"


def _apify(parts: SplitResult) -> str:
    """Return the items of an Apify dataset, or of the last run of a task, as JSON."""
    path = parts.path.removeprefix("/v2")
    query = dict(parse_qsl(parts.query))
    if found := re.search(r"(?:/storage)?/datasets/([^/]+)", path):
        path = f"/datasets/{found[1]}/items"
    elif found := re.search(r"/(?:actors/tasks|tasks|actor-tasks)/([^/]+)", path):
        path = f"/actor-tasks/{found[1]}/runs/last/dataset/items"
        query.setdefault("status", "SUCCEEDED")
    elif found := re.search(r"/(?:actors|acts)/([^/]+)/runs/last", path):
        path = f"/acts/{found[1]}/runs/last/dataset/items"
        query.setdefault("status", "SUCCEEDED")
    else:
        return parts.geturl()
    query.setdefault("format", "json")
    query.setdefault("clean", "1")
    return f"https://api.apify.com/v2{path}?{urlencode(query)}"


_CONVERSIONS: tuple[tuple[re.Pattern[str], Callable[[SplitResult], str]], ...] = (
    (re.compile(r"docs\.google\.com"), _sheet),
    (re.compile(r"drive\.google\.com"), _drive),
    (re.compile(r"(?:www\.)?dropbox\.com"), _dropbox),
    (re.compile(r"(?:[a-z0-9-]+\.)?console\.aws\.amazon\.com"), _s3_console),
    (re.compile(r"(?:api|console|my)\.apify\.com"), _apify),
)


# --- Settings -------------------------------------------------------------------------------------


class UrlForm(ConnectorForm):
    """An address, and an optional header.

    The address is a secret, since its query may contain a key.
    """

    secret_fields: ClassVar[tuple[str, ...]] = ("address", "header_value")

    address = forms.CharField(
        label=_("Address"),
        help_text=_(
            "As you copy it from the browser: a shared Google Sheet, a Dropbox link, an "
            "Apify dataset or task, a file on S3 or on your own site."
        ),
        max_length=MAX_ADDRESS,
    )
    header_name = forms.CharField(
        label=_("Header"),
        required=False,
        validators=[_HEADER_NAME],
        help_text=_("Only if the address needs one: Authorization."),
    )
    header_value = SecretField(
        label=_("Value of the header"), required=False, validators=[_HEADER_VALUE]
    )

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        if not address:
            return ""
        try:
            return export_address(address)
        except ValueError as error:
            raise ValidationError(str(error)) from None

    def host(self, settings: Mapping[str, Any]) -> str:
        return str(urlsplit(settings.get("shown_address", "")).netloc)

    def clean(self) -> dict[str, Any]:
        """Require a value for a named header."""
        cleaned = super().clean()
        is_kept = "header_value" in self.stored and not self.is_moved()
        if cleaned.get("header_name") and not (cleaned.get("header_value") or is_kept):
            self.add_error(
                "header_value", gettext("Enter the value of the header for this address.")
            )
        return cleaned

    def settings(self) -> dict[str, Any]:
        """The name of the header, and the address without its query for display."""
        shown = super().settings()
        if address := self.cleaned_data.get("address"):
            parts = urlsplit(address)
            hidden = "?…" if parts.query else ""
            shown["shown_address"] = f"{parts.scheme}://{parts.netloc}{parts.path}{hidden}"
        return shown


# --- Polls ----------------------------------------------------------------------------------------


def fetch(poll: Poll) -> Fetched | Unchanged:
    name, value = poll.settings.get("header_name"), poll.secrets.get("header_value")
    secret_headers = {name: value} if name and value else {}
    return fetch_file(poll, poll.secrets["address"], secret_headers)


def fetch_file(
    poll: Poll, address: str, secret_headers: Mapping[str, str] | None = None
) -> Fetched | Unchanged:
    """Fetch a file and its further pages by a conditional request."""
    response = poll.client.get(address, secret_headers=secret_headers, state=poll.state)
    if response.is_unchanged:
        return Unchanged()
    if response.is_page:
        _refuse_sign_in_page(response)

    def get(page: str) -> Response:
        is_own = origin_of(page) == origin_of(address)
        return poll.client.get(page, secret_headers=secret_headers if is_own else None)

    content, state = follow(response, get)
    name = f"{host_of(address)} {urlsplit(address).path.rpartition('/')[2]}".strip()
    return Fetched(content, name, state, is_whole="missing" not in state)


def _refuse_sign_in_page(response: Response) -> None:
    """Raise `SourceFailure` for a web page, unless it may hold reviews as structured data."""
    page = response.content[:200_000].lower()
    if host_of(response.url).endswith("google.com"):
        raise SourceFailure(NOT_SHARED)
    if b"application/ld+json" not in page and b"itemprop" not in page:
        raise SourceFailure(
            f"{host_of(response.url)} answers with a web page instead of a file, such as one to "
            "sign in. Share the file with everybody who has the link, or enter the address of the "
            "file itself."
        )


CONNECTOR = Connector(
    name="url",
    label=_("Address of a file"),
    form=UrlForm,
    terms=_("Use files that are yours, or that you may publish."),
    help=_(
        "A table or export at an address: CSV, Excel, JSON. It is read again at each "
        "interval; nothing is imported if it has not changed."
    ),
    fetch=fetch,
)
