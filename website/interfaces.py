"""Interfaces for programs, in one table: short on the home page, in full for developers."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from rest_framework.serializers import BaseSerializer

from core.http.headers import HUB_PATH, HUB_STATUS_PATH
from core.serializers import json_schema
from embed.options import OptionsSerializer
from publishing.registry import registry
from reviews.models import Review
from reviews.search.parameters import SearchSerializer

ANY_DATE = "2026-01-01"  # Of examples while there is no review to take one from.


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an interface, as its serializer describes it."""

    name: str
    values: str
    text: str


@dataclass(frozen=True, slots=True)
class Interface:
    anchor: str
    title: str
    address: str
    summary: str
    commands: tuple[str, ...]  # The first one is enough to try it.
    notes: tuple[str, ...] = ()
    is_readable: bool = True  # A browser gets something by following the address.
    guide: str = ""  # The page that tells more.
    parameters: tuple[Parameter, ...] = ()
    is_catalogued: bool = False  # An API of its own in the API catalog.
    is_described: bool = True  # By the OpenAPI description.


def date_to_ask(newest: Sequence[Review]) -> str:
    """A date since which there are reviews: of the last of these, newest first."""
    return newest[-1].date.isoformat() if newest else ANY_DATE


def curl(address: str, *arguments: str) -> str:
    """A command that can be pasted into a shell as it stands."""
    return shlex.join(["curl", *arguments, address])


@cache
def _parameters(serializer: type[BaseSerializer[Any]], joint: str = "_") -> tuple[Parameter, ...]:
    """The parameters of a serializer; `joint` stands between the words of their names."""
    return tuple(
        Parameter(name.replace("_", joint), ", ".join(_values(schema)), schema["description"])
        for name, schema in json_schema(serializer)["properties"].items()
    )


def _values(schema: Mapping[str, Any]) -> Iterator[str]:
    """The values that a schema allows, in words."""
    choices = schema.get("enum", [])
    least, most = schema.get("minimum"), schema.get("maximum")
    if choices and schema["type"] == "integer":
        least, most = choices[0], choices[-1]
    elif choices:
        yield from choices
    if most is not None:
        yield f"{least} to {most}"
    if schema["type"] == "boolean":
        yield "true or false"
    elif "format" in schema:
        yield {"date": "YYYY-MM-DD", "date-time": "RFC 3339"}[schema["format"]]
    elif "maxLength" in schema:
        yield f"up to {schema['maxLength']} characters"


def _document(name: str, *notes: str, arguments: Sequence[str] = (), anchor: str = "") -> Interface:
    """A published document, in the words of its registration."""
    spec = next(spec for spec in registry if spec.name == name)
    commands = [curl(spec.url), *([curl(spec.url, *arguments)] if arguments else [])]
    return Interface(anchor or name, spec.title, spec.url, spec.description, tuple(commands), notes)


def interfaces(base_url: str, since: str) -> tuple[Interface, ...]:
    """Every interface of the installation at `base_url`; `since` as of `date_to_ask`."""
    search = f"{base_url}/api/reviews/search"
    mcp = f"{base_url}/mcp"
    initialize = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        '"capabilities":{},"clientInfo":{"name":"curl","version":"1"}}}'
    )
    return (
        _document(
            "reviews",
            "One JSON document with everything. Send the ETag of your copy in If-None-Match: while "
            "nothing has changed the answer is 304, without a body.",
            "The document is also a WebSub topic; its Link header names the hub.",
            arguments=("-H", 'If-None-Match: "ETag of your copy"'),
        ),
        _document(
            "reviews-csv",
            'In Google Sheets: =IMPORTDATA("address"). UTF-8 with a byte order mark; null is an '
            "empty cell. A cell that begins with =, +, -, @, a tab or a carriage return has an "
            "apostrophe before it, so that no program takes it for a formula.",
        ),
        _document(
            "insights",
            "per_review holds the evidence: every count in the document follows from it, so each "
            "figure can be traced back to the reviews it was made from.",
        ),
        Interface(
            "search",
            "Search",
            f"{search}?min_rating=4&limit=5",
            "Reviews by rating, date, words, technician, service, source and language, in any "
            "order, and what changed since a moment; all filters combine.",
            (
                curl(f"{search}?min_rating=4&limit=5"),
                curl(search, "-G", "--data-urlencode", "query=on time", "-d", "limit=5"),
                curl(f"{search}?changed_since={since}T00:00:00Z"),
            ),
            (
                (
                    "The answer counts all matches and returns up to limit of them, newest first "
                    "or by sort. Follow next_cursor (or the Link header) for the next page."
                ),
                (
                    "To keep a copy up to date, ask for what has changed_since the last time; "
                    "removed lists the reviews to take out. ignored_parameters names what was "
                    "asked for and is not known."
                ),
                (
                    "A request that cannot be understood is answered with 400 and an issues array "
                    "that lists every problem at once."
                ),
            ),
            parameters=_parameters(SearchSerializer),
        ),
        Interface(
            "since",
            "Reviews since a date",
            f"{base_url}/api/reviews/since/{since}",
            "All reviews on or after a day, to keep a copy up to date.",
            (curl(f"{base_url}/api/reviews/since/{since}"),),
            (
                (
                    "Dates are calendar days in the business's time zone, written YYYY-MM-DD. "
                    "Conditional requests work here too."
                ),
            ),
        ),
        _document(
            "json-feed",
            "Paste this page's address into a feed reader and it finds both feeds by itself.",
        ),
        _document(
            "atom-feed", "The same reviews and the same ids as in the JSON Feed.", anchor="atom"
        ),
        Interface(
            "widgets",
            "Widgets",
            f"{base_url}/embed",
            "Reviews on other websites: an element, a frame, a fragment, badges and oEmbed.",
            (
                curl(f"{base_url}/embed/widget.json?min-rating=4&max=3"),
                curl(f"{base_url}/embed.html?layout=grid"),
                curl(f"{base_url}/badge.svg?theme=dark"),
                curl(f"{base_url}/oembed", "-G", "--data-urlencode", f"url={base_url}/reviews"),
            ),
            (
                (
                    f"{base_url}/embed.js defines the element <customer-reviews>. /embed is a page "
                    "for frames, /embed.html a part of a page for your server to include, "
                    "/badge.svg and /badge.png are pictures, and /oembed describes the frame to "
                    "editors."
                ),
                (
                    "All take the same options, as far as they apply. Mean and number are always "
                    "those of all reviews."
                ),
            ),
            parameters=_parameters(OptionsSerializer, "-"),
            is_catalogued=True,
            is_described=False,
        ),
        Interface(
            "mcp",
            "MCP server",
            mcp,
            "Ask about the reviews from an AI assistant: read-only tools, no key needed.",
            (
                curl(
                    mcp,
                    "-H",
                    "Content-Type: application/json",
                    "-H",
                    "Accept: application/json, text/event-stream",
                    "-d",
                    initialize,
                ),
            ),
            (
                (
                    "Add the address as a streamable HTTP server to your assistant and leave any "
                    "token field blank. By hand: the answer to initialize carries an Mcp-Session-"
                    "Id header; send it with every later request."
                ),
            ),
            is_readable=False,
            guide="/developers/mcp",
            is_catalogued=True,
        ),
        Interface(
            "hub",
            "WebSub hub",
            f"{base_url}{HUB_PATH}",
            "Push instead of polling: new content is posted to your HTTPS address.",
            (
                curl(
                    f"{base_url}{HUB_PATH}",
                    "-d",
                    "hub.mode=subscribe",
                    "-d",
                    f"hub.topic={base_url}/feed.xml",
                    "-d",
                    "hub.callback=https://subscriber.example.com/callback",
                ),
            ),
            (
                (
                    "Topics are the Atom feed, the JSON Feed and the full dataset. The hub first "
                    "asks your callback to echo a challenge; afterwards every update arrives as a "
                    "POST with the whole document. Answer with any 2xx status."
                ),
                (
                    "The feeds hold the 50 newest reviews, so their size stays about the same. "
                    "/reviews.json grows with every review: make sure that your server takes "
                    "bodies of its size, which many limit to 1 MB."
                ),
                (
                    "Subscribe again before the lease ends. Three deliveries in a row without a "
                    "2xx answer end the subscription."
                ),
                (
                    "State of a subscription, for everyone who knows its secret: POST "
                    f"{base_url}{HUB_STATUS_PATH} with hub.callback, hub.topic and hub.secret."
                ),
            ),
            is_readable=False,
            is_catalogued=True,
        ),
        _document(
            "openapi",
            "Generate a client from it, or load it into the tool you explore interfaces with.",
        ),
        Interface(
            "status",
            "Status",
            f"{base_url}/status.json",
            "What is published since when, and how deliveries to subscribers go: counts and times.",
            (curl(f"{base_url}/status.json"),),
            ("At most a few seconds old. The same for people is at /status.",),
        ),
        Interface(
            "llms",
            "llms.txt",
            f"{base_url}/llms.txt",
            "A plain-text guide to this site for language models.",
            (curl(f"{base_url}/llms.txt"),),
        ),
    )
