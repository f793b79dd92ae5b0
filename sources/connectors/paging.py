"""Find and fetch further pages of a JSON response, on the same host only.

The next page follows from a `Link` with `rel=next` (RFC 8288), from a member with `next` in its
name (an address, or a token like `nextPageToken`, sent as `pageToken`), or from counters: `page`
beside `total_pages`, `offset` beside `limit` and `total`. Lists hold the reviews and are not
searched.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from django.conf import settings
from django.utils.encoding import iri_to_uri
from requests.utils import parse_header_links

from sources.client import (
    CredentialsRefused,
    JsonRefused,
    NotFound,
    RequestRefused,
    Response,
    parse_json,
)

MAX_PAGES = 300
MISSING = (
    "Page {} of several: the further pages are missing. Enter an address that answers all reviews "
    "at once, often by a larger “limit” or “per_page”, or describe the pages in a recipe (“Any "
    "paged JSON API”)."
)
_MAX_DEPTH, _MAX_MEMBERS, _MAX_LENGTH = 4, 1_000, 2_048
_ADDRESS = re.compile(r"https?://|/|\?|[\w./-]+\?\S+=")
_TOKEN = re.compile("token|cursor")
_COUNTER = re.compile("page|cursor|offset|start|skip|after")
# Normalized names. The first four are also names of query parameters.
_PAGE = ("page", "pagenumber", "pageno", "pageindex", "currentpage", "current", "number")
_PAGES = (
    *("totalpages", "totalpage", "pagecount", "pages", "numpages", "numberofpages", "pagestotal"),
    *("lastpage", "maxpage"),
)
_OFFSET = ("offset", "skip", "start")
_LIMIT = ("limit", "perpage", "pagesize")
_TOTAL = ("total", "totalcount", "totalresults", "totalitems", "totalelements", "count")
_MORE = ("hasmore", "more", "moreresults", "hasnext", "hasnextpage")


Table = Mapping[str, tuple[str, Any]]  # Members of an object by their normalized names.


def with_query(address: str, query: Mapping[str, Any]) -> str:
    """Return the address with these parameters, which replace those of the same names."""
    parts = urlsplit(address)
    kept = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in query]
    return parts._replace(query=urlencode([*kept, *query.items()])).geturl() if query else address


def follow(first: Response, get: Callable[[str], Response]) -> tuple[bytes, dict[str, str]]:
    """Fetch all pages after the first. Return the content of all, and the state for the next poll.

    With a single page, the state makes the next request conditional. Its member `missing` is a
    sentence on pages that cannot be read. `get` is only called with addresses on the same host.
    """
    response, contents, size = first, [first.content], len(first.content)
    whole = document = _document(first)
    state: dict[str, str] = {}
    while (address := _next(response, document, len(contents))) is not None:
        state = {"missing": MISSING.format(len(contents))}
        is_bounded = len(contents) < MAX_PAGES and size <= settings.IMPORT_MAX_BYTES
        if not (document and address and is_bounded):
            break
        try:
            response = get(address)
        except (NotFound, RequestRefused, CredentialsRefused):
            break
        document = _document(response)
        if response.content in contents or not _is_similar(whole, document):
            break
        contents.append(response.content)
        size += len(response.content)
        state = {}
    return b"\n".join(contents), (first.validators if len(contents) == 1 else {}) | state


def _document(response: Response) -> Any:
    try:
        return parse_json(response.content)
    except JsonRefused:
        return None


def _is_similar(one: Any, other: Any) -> bool:
    """Whether a document may be another page: also a list, or with some of the same containers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return any(isinstance(one[name], dict | list) for name in one.keys() & other.keys())
    return isinstance(one, list) and isinstance(other, list)


# --- The next page --------------------------------------------------------------------------------


def _next(response: Response, document: Any, count: int) -> str | None:
    """Return the address after the `count`th page, "" if it is unknown, or None at the end."""
    members = [*islice(_members(document, ()), _MAX_MEMBERS)]
    tables: dict[Any, dict[str, tuple[str, Any]]] = {}
    for path, value in members:
        tables.setdefault(path[:-1], {}).setdefault(_normalized(path[-1]), (path[-1], value))
    links = parse_header_links(response.headers.get("link", ""))
    named = [(path[-1], value) for path, value in members if any(map(_is_next, path))]
    addresses = [
        *(link["url"] for link in links if "next" in link.get("rel", "").lower().split()),
        *(value for name, value in named if _is_address(name, value)),
    ]
    tokens = [_parameter(name, value) for name, value in named if not _is_address(name, value)]
    counted = [_counted(response.url, table, count) for table in tables.values()]
    found = [
        *(_on_host(response.url, address) for address in addresses),
        *(with_query(response.url, query) for query in (*tokens, *counted) if query),
    ]
    tells_more = any(map(_has_more, tables.values())) or any(each is not None for each in counted)
    return next(filter(None, found), "") if any(found) or addresses or tells_more else None


def _members(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Values other than containers, each with the names that lead to it."""
    if isinstance(value, Mapping) and len(path) < _MAX_DEPTH:
        for name, inner in value.items():
            yield from _members(inner, (*path, name))
    elif isinstance(value, list) and path and _normalized(path[-1]) in {"link", "links"}:
        for link in value[:20]:
            texts = link.values() if isinstance(link, Mapping) else ()
            if any(isinstance(text, str) and text.lower().startswith("next") for text in texts):
                yield from _members(link, (*path, "next"))
    elif path and not isinstance(value, Mapping | list):
        yield path, value


def _is_next(name: str) -> bool:
    return "next" in _normalized(name)


def _normalized(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())


def _is_address(name: str, value: Any) -> bool:
    """Whether the value of a member is an address. A token may begin like one."""
    if not isinstance(value, str) or len(value) > _MAX_LENGTH:
        return False
    return bool(_ADDRESS.match(value)) and not (
        _TOKEN.search(_normalized(name)) and value[0] == "/"
    )


def _on_host(url: str, address: str) -> str:
    """Return the absolute address, or "" if it is on another host."""
    try:
        target, own = urlsplit(urljoin(url, address)), urlsplit(url)
        if (target.scheme, target.port, own.scheme) == ("http", None, "https"):
            target = target._replace(scheme="https")  # A server behind a TLS proxy may say http.
        is_own = (target.scheme, target.netloc.lower()) == (own.scheme, own.netloc.lower())
    except ValueError:
        return ""
    return str(iri_to_uri(target._replace(fragment="").geturl())) if is_own else ""


def _parameter(name: str, value: Any) -> dict[str, Any]:
    """Return the parameter that sends a token back, like `pageToken` for `nextPageToken`."""
    is_value = isinstance(value, str | int) and not isinstance(value, bool) and value not in {"", 0}
    if not is_value or len(str(value)) > _MAX_LENGTH:
        return {}
    bare = re.sub("^next[_-]?", "", name, flags=re.IGNORECASE)
    bare = bare[:1].lower() + bare[1:]
    if not bare:
        return {"page": value} if str(value).isdecimal() else {}
    if _COUNTER.search(_normalized(bare)):
        return {bare: value}
    return {name: value} if _TOKEN.search(_normalized(name)) else {}


def _counted(url: str, table: Table, count: int) -> dict[str, Any] | None:
    """Return the parameter of the next page by counters, {} if it is unknown, None at the end."""
    pages, total, limit = (_number(table, names)[1] for names in (_PAGES, _TOTAL, _LIMIT))
    last = pages or (-(-total // limit) if total and limit else 0)
    (offset_name, offset), (page_name, page) = _number(table, _OFFSET), _number(table, _PAGE)
    if page is None and offset is not None and total and limit:
        return {offset_name: offset + limit} if offset + limit < total else None
    if page is None:
        return None if count >= last else {"page": count + 1} if pages else {}
    if page + (page < count) >= last:  # Some count from zero.
        return None
    given = (name for name, _ in parse_qsl(urlsplit(url).query) if _normalized(name) in _PAGE)
    return {next(given, page_name if _normalized(page_name) in _PAGE[:4] else "page"): page + 1}


def _number(table: Table, names: tuple[str, ...]) -> tuple[str, int | None]:
    """Return the first of these members that is a number, with its name."""
    for name, value in (table[name] for name in names if name in table):
        if isinstance(value, int | str) and str(value).isascii() and str(value).isdecimal():
            return name, int(str(value)[:9])
    return "", None


def _has_more(table: Table) -> bool:
    return any(table.get(name, ("", None))[1] is True for name in _MORE)
