"""Further pages of a JSON answer: found in its headers and members, on the same host alone.

The next page is named by a `Link` with `rel=next` (RFC 8288), by a member under a name with `next`
(an address; a token like `nextPageToken`, sent as `pageToken`), or by counters: `page` beside
`total_pages`, `offset` beside `limit` and `total`. Lists are not searched: they hold the reviews.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from django.conf import settings
from django.utils.encoding import iri_to_uri
from requests.utils import parse_header_links

from sources.client import (
    Answer,
    CredentialsRefused,
    JsonRefused,
    NotThere,
    RequestRefused,
    parse_json,
)

MOST_PAGES = 300
REMEDY = (
    "Enter an address that answers all reviews at once, often by a larger “limit” or “per_page”, "
    "or describe the pages in a recipe (“Any paged JSON API”)."
)
_DEPTH, _MEMBERS, _LETTERS = 4, 1_000, 2_048
_ADDRESS = re.compile(r"https?://|/|\?|[\w./-]+\?\S+=")
_TOKEN = re.compile("token|cursor")
_COUNTER = re.compile("page|cursor|offset|start|skip|after")
# Names without capitals and signs. The first four are parameters as well.
_PAGE = ("page", "pagenumber", "pageno", "pageindex", "currentpage", "current", "number")
_PAGES = (
    *("totalpages", "totalpage", "pagecount", "pages", "numpages", "numberofpages", "pagestotal"),
    *("lastpage", "maxpage"),
)
_OFFSET = ("offset", "skip", "start")
_LIMIT = ("limit", "perpage", "pagesize")
_TOTAL = ("total", "totalcount", "totalresults", "totalitems", "totalelements", "count")
_MORE = ("hasmore", "more", "moreresults", "hasnext", "hasnextpage")


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages that were read, one after the other, and a sentence on those that are missing."""

    content: bytes
    count: int
    missing: str = ""

    def state(self, first: Answer) -> dict[str, str]:
        """The state for the next look, conditional only if a single page is all that was read."""
        validators = first.validators if self.count == 1 else {}
        return validators | ({"missing": self.missing} if self.missing else {})


@dataclass(frozen=True, slots=True)
class _Next:
    """The next page: its address, "" for an unknown one, beside the numbers that are told."""

    address: str = ""
    page: int | None = None  # Of the page that tells it.
    last: int = 0
    is_left: bool = True


def with_query(address: str, query: Mapping[str, Any]) -> str:
    """Return the address with these parameters, in place of others of their names."""
    parts = urlsplit(address)
    kept = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in query]
    return parts._replace(query=urlencode([*kept, *query.items()])).geturl() if query else address


def follow(first: Answer, get: Callable[[str], Answer]) -> Pages:
    """Read the pages after the first by `get`, which gets addresses of the first one's host."""
    whole = document = _document(first)
    contents, size = [first.content], len(first.content)
    following = _next(first, document, 1)
    while following:
        is_bounded = len(contents) < MOST_PAGES and size <= settings.IMPORT_MAX_BYTES
        if not (document and following.address and is_bounded):
            return _part(contents, following.last)
        try:
            answer = get(following.address)
        except (NotThere, RequestRefused, CredentialsRefused):
            return _part(contents, following.last)
        document, before = _document(answer), following
        following = _next(answer, document, len(contents) + 1)
        is_same = following and following.page is not None and following.page == before.page
        if is_same or answer.content in contents or not _is_alike(whole, document):
            return _part(contents, before.last)
        contents.append(answer.content)
        size += len(answer.content)
    return Pages(b"\n".join(contents), len(contents))


def _part(contents: list[bytes], last: int) -> Pages:
    count = len(contents)
    left = last - count
    which = (
        f"Page {count} of {last}: {left} page{' is' if left == 1 else 's are'} missing."
        if left > 0
        else f"Page {count} of several: the further pages are missing."
    )
    return Pages(b"\n".join(contents), count, f"{which} {REMEDY}")


def _document(answer: Answer) -> Any:
    try:
        return parse_json(answer.content)
    except JsonRefused:
        return None


def _is_alike(one: Any, other: Any) -> bool:
    """Whether a document may be another page: a list too, or with some of the same containers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return any(isinstance(one[name], dict | list) for name in one.keys() & other.keys())
    return isinstance(one, list) and isinstance(other, list)


# --- The next page --------------------------------------------------------------------------------


def _next(answer: Answer, document: Any, count: int) -> _Next | None:
    """The page after this one, which is the `count`th; None if nothing says that there is one."""
    members = [*itertools.islice(_members(document, ()), _MEMBERS)]
    tables: dict[Any, dict[str, tuple[str, Any]]] = {}
    for path, value in members:
        tables.setdefault(path[:-1], {}).setdefault(_folded(path[-1]), (path[-1], value))
    counts = (_counted(answer.url, table, count) for table in tables.values())
    counted = next(filter(None, counts), _Next(is_left=False))
    links = parse_header_links(answer.headers.get("link", ""))
    named = [(path[-1], value) for path, value in members if any(map(_is_next, path))]
    addresses = [
        *(link["url"] for link in links if "next" in link.get("rel", "").lower().split()),
        *(value for name, value in named if _is_address(name, value)),
    ]
    tokens = [_parameter(name, value) for name, value in named if not _is_address(name, value)]
    found = [
        *(_on_host(answer.url, address) for address in addresses),
        *(with_query(answer.url, token) for token in tokens if token),
        counted.address if counted.is_left else "",
    ]
    is_left = any(found) or addresses or counted.is_left or any(map(_has_more, tables.values()))
    return replace(counted, address=next(filter(None, found), "")) if is_left else None


def _members(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Values that are no containers, with the names that lead to them."""
    if isinstance(value, Mapping) and len(path) < _DEPTH:
        for name, inner in value.items():
            yield from _members(inner, (*path, name))
    elif isinstance(value, list) and path and _folded(path[-1]) in {"link", "links"}:
        for link in value[:20]:
            texts = link.values() if isinstance(link, Mapping) else ()
            if any(isinstance(text, str) and text.lower().startswith("next") for text in texts):
                yield from _members(link, (*path, "next"))
    elif path and not isinstance(value, Mapping | list):
        yield path, value


def _is_next(name: str) -> bool:
    return "next" in _folded(name)


def _folded(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())


def _is_address(name: str, value: Any) -> bool:
    """Whether a member's value is an address; a token may begin like one."""
    if not isinstance(value, str) or len(value) > _LETTERS:
        return False
    return bool(_ADDRESS.match(value)) and not (_TOKEN.search(_folded(name)) and value[0] == "/")


def _on_host(url: str, address: str) -> str:
    """The address, if it is on the host of this page; "" otherwise."""
    try:
        target, own = urlsplit(urljoin(url, address)), urlsplit(url)
        if (target.scheme, target.port, own.scheme) == ("http", None, "https"):
            target = target._replace(scheme="https")  # As servers behind a proxy name themselves.
        is_own = (target.scheme, target.netloc.lower()) == (own.scheme, own.netloc.lower())
    except ValueError:
        return ""
    return str(iri_to_uri(target._replace(fragment="").geturl())) if is_own else ""


def _parameter(name: str, value: Any) -> dict[str, Any]:
    """The parameter that sends a token back: `pageToken` for `nextPageToken`."""
    is_value = isinstance(value, str | int) and not isinstance(value, bool) and value not in {"", 0}
    if not is_value or len(str(value)) > _LETTERS:
        return {}
    bare = re.sub("^next[_-]?", "", name, flags=re.IGNORECASE)
    bare = bare[:1].lower() + bare[1:]
    if not bare:
        return {"page": value} if str(value).isdecimal() else {}
    if _COUNTER.search(_folded(bare)):
        return {bare: value}
    return {name: value} if _TOKEN.search(_folded(name)) else {}


def _counted(url: str, table: Mapping[str, tuple[str, Any]], count: int) -> _Next | None:
    """The next page by the counters of one table; None where it counts no pages."""
    pages, total, limit = (_number(table, names)[1] for names in (_PAGES, _TOTAL, _LIMIT))
    last = pages or (-(-total // limit) if total and limit else 0)
    if not last:
        return None
    offset_name, offset = _number(table, _OFFSET)
    page_name, page = _number(table, _PAGE)
    if page is None and offset is not None and total and limit:
        address = with_query(url, {offset_name: offset + limit})
        return _Next(address, offset // limit + 1, last, offset + limit < total)
    if page is None:
        address = with_query(url, {"page": count + 1}) if pages else ""
        return _Next(address, None, last, count < last)
    is_left = page + (page < count) < last  # Some count from zero.
    given = (name for name, _ in parse_qsl(urlsplit(url).query) if _folded(name) in _PAGE)
    parameter = next(given, page_name if _folded(page_name) in _PAGE[:4] else "page")
    return _Next(with_query(url, {parameter: page + 1}), page, last, is_left)


def _number(table: Mapping[str, tuple[str, Any]], names: tuple[str, ...]) -> tuple[str, int | None]:
    """The first of these members that is a number."""
    for name, value in (table[name] for name in names if name in table):
        if isinstance(value, int | str) and str(value).isascii() and str(value).isdecimal():
            return name, int(str(value)[:9])
    return "", None


def _has_more(table: Mapping[str, tuple[str, Any]]) -> bool:
    return any(table.get(name, ("", None))[1] is True for name in _MORE)
