"""Fetch reviews from a paged JSON API, as a recipe describes it.

An order costs money. Its id is stored before its results are requested, so that neither a killed
worker nor an early poll orders twice.
"""

import base64
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.utils import timezone

from sources.client import (
    MAX_JSON_BYTES,
    CredentialsRefused,
    NotFound,
    Response,
    SourceFailure,
    origin_of,
    sanitize,
)
from sources.connectors.paging import MAX_PAGES, follow, with_query
from sources.connectors.protocol import Fetched, Poll, Unchanged
from sources.connectors.recipe import FOUND, JOB, PLACEHOLDER, Recipe, credential_names

POLL_SECONDS = 30
MAX_ORDER_SECONDS = 2 * 3600
FULL_POLL_SECONDS = 30 * 24 * 3600  # Interval of polls that read all pages, for changed reviews.
NEWEST_KEPT = 200  # Ids by which the next poll recognizes where to stop.
_ID = re.compile(r"[\w~:-][\w.~:-]{0,199}", re.ASCII)


def fetch(recipe: Recipe, poll: Poll) -> Fetched | Unchanged:
    """Fetch the reviews. Without the credentials of the recipe, they only arrive by push."""
    if credential_names(recipe) - poll.secrets.keys():
        return Unchanged()
    return _Api(recipe, poll).fetch()


class _Api:
    """One poll of an API."""

    def __init__(self, recipe: Recipe, poll: Poll) -> None:
        self._recipe, self._poll, self._title = recipe, poll, recipe["title"]
        self._values = _inputs(recipe, poll.settings)
        self._base_state: dict[str, Any] = {}  # The part that does not depend on reviews.

    def fetch(self) -> Fetched | Unchanged:
        if lookup := self._recipe.get("lookup"):
            found = self._poll.state.get(FOUND) or id_at(self._send(lookup).json(), lookup["id"])
            if not found:
                raise SourceFailure(
                    f"{self._title} finds nothing by these settings. Copy them from its pages."
                )
            self._base_state = {FOUND: found}
            self._values |= self._base_state
        if "order" in self._recipe:
            return self._fetch_order()
        return self._fetch_pages() if "pages" in self._recipe else self._fetch_linked()

    def _result(self, content: bytes, items: Any, body: Any, state: Any) -> Fetched | Unchanged:
        """Return the content, or `Unchanged` if it has no reviews."""
        if not items:
            return Unchanged(state)
        rules = self._recipe["answer"]
        total = first_at(body, rules.get("total", []))
        return Fetched(
            content,
            f"{self._title} reviews.json",
            state,
            is_whole=rules.get("lists_all", False) and "missing" not in state,
            expected_rows=total if isinstance(total, int) and total >= 0 else None,
        )

    # --- An order, polled until its results are ready ---

    def _fetch_order(self) -> Fetched | Unchanged:
        order, own = self._recipe["order"], self._poll.state.get(JOB, "")
        job = self._poll.announced or own
        if not job:
            job = id_at(self._read(self._send(order))[0], order["id"])
            if not job:
                raise SourceFailure(
                    f"{self._title} gave the order no id. The next check orders again."
                )
            return self._wait_for(job)
        # Results that were ordered elsewhere leave our own order pending.
        state = self._base_state if job == own else self._poll.state
        try:
            response = self._send(self._recipe["request"], {JOB: job})
        except NotFound:
            return Unchanged(state)
        body, items, is_ready = self._read(response)
        if is_ready:
            return self._result(response.content, items, body, state)
        if job != own:
            raise SourceFailure(f"{self._title} announced results that are not ready yet.")
        return self._wait_for(job)

    def _wait_for(self, job: str) -> Unchanged:
        order, now = self._recipe["order"], timezone.now().timestamp()
        since = self._poll.state.get("since", now) if self._poll.state.get(JOB) == job else now
        longest = order.get("longest_seconds", MAX_ORDER_SECONDS)
        if now - since > longest:
            raise SourceFailure(
                f"{self._title} has not finished an order within {longest / 3600:g} hours. The "
                "next check orders again.",
                state=self._base_state,
            )
        state = {**self._base_state, JOB: job, "since": since}
        return Unchanged(state, order.get("poll_seconds", POLL_SECONDS))

    # --- Pages that the recipe describes; if newest first, until a page without news ---

    def _fetch_pages(self) -> Fetched | Unchanged:
        pages, before = self._recipe["pages"], self._poll.state
        now = timezone.now().timestamp()
        known: Mapping[str, Any] = before.get("newest", {})
        is_whole = not known or now - before.get("whole_at", 0.0) > FULL_POLL_SECONDS
        first: Any = None
        items: list[Any] = []
        contents: set[bytes] = set()
        size, token, has_news, is_left = 0, "", False, True
        while is_left and len(contents) < MAX_PAGES and size <= settings.IMPORT_MAX_BYTES:
            query = _page(pages, len(contents) + 1, token)
            response = self._send(self._recipe["request"], more=query)
            if response.content in contents:
                break
            body, found, _ = self._read(response)
            is_fresh = any(known.get(key) != version for key, version in map(self._version, found))
            token = str(first_at(body, pages.get("next", [])))
            is_last = len(found) < pages["size"] if "size" in pages else not token
            is_left = not is_last and (is_fresh or is_whole)
            first, items, has_news = first or body, items + found, has_news or is_fresh
            contents.add(response.content)
            size += len(response.content)
        versions = [(key, version) for key, version in map(self._version, items) if key]
        state = dict(self._base_state)
        if is_left:
            state["missing"] = (
                f"Page {len(contents)} of several: the further pages are missing. Have "
                f"{self._title} give larger pages, or correct “pages” in the recipe."
            )
        if "newest_first" in pages:
            state["newest"] = dict(versions[:NEWEST_KEPT])
            state["whole_at"] = now if is_whole else before["whole_at"]
        if not has_news:
            return Unchanged(state if is_whole else None)
        return self._result(self._merge(first, items), items, first, state)

    def _version(self, item: Any) -> tuple[str, list[Any]]:
        """The id of a review, and the values that show when it changed."""
        pages = self._recipe["pages"]
        changes = [first_at(item, path) for path in pages.get("changes", [])]
        return str(first_at(item, pages.get("newest_first", []))), changes

    def _merge(self, first: Any, items: list[Any]) -> bytes:
        """Merge all pages into a document with the structure of one page."""
        joined: Any = items
        for name in reversed([name for name in _paths(self._recipe)[0].split(".") if name]):
            joined = {name: joined}
        head = str(self._recipe["answer"].get("total", "")).partition(".")[0]
        if isinstance(first, dict) and head in first:
            joined = {head: first[head], **joined}
        try:
            return json.dumps(joined).encode()
        except RecursionError:  # The members around the items make the document deeper.
            raise SourceFailure(f"The answer of {self._title} is nested too deeply.") from None

    # --- One response, and the pages that it links to ---

    def _fetch_linked(self) -> Fetched | Unchanged:
        response = self._send(self._recipe["request"], state=self._poll.state)
        if response.is_unchanged:
            return Unchanged()
        body, items, _ = self._read(response)
        content, state = follow(response, self._get)
        return self._result(content, items, body, {**self._base_state, **state})

    # --- Requests and responses ---

    def _send(
        self,
        request: Mapping[str, Any],
        values: Mapping[str, Any] | None = None,
        *,
        more: Mapping[str, Any] | None = None,
        state: Mapping[str, Any] | None = None,
    ) -> Response:
        """Send a request of the recipe with its placeholders replaced."""
        given = {**self._values, **(values or {})}
        address = PLACEHOLDER.sub(
            lambda name: quote(str(given[name[1]]), safe="/~"), request["address"]
        )
        query = {**_fill(request.get("query", {}), given), **(more or {})}
        address = with_query(address, query)
        if "json" not in request:
            return self._get(address, state)
        body = json.dumps(_fill(request["json"], given)).encode()
        return self._poll.client.post(self._with_key(address), body, secret_headers=self._header())

    def _get(self, address: str, state: Mapping[str, Any] | None = None) -> Response:
        """Send a GET. Only the origin of the recipe receives the secrets."""
        if origin_of(address) != origin_of(self._recipe["request"]["address"]):
            return self._poll.client.get(address)
        keyed, header = self._with_key(address), self._header()
        return self._poll.client.get(keyed, secret_headers=header, state=state)

    def _with_key(self, address: str) -> str:
        """Add the secret to the address, if the provider takes it in the query."""
        rules = self._recipe.get("credentials", {})
        if "query" not in rules:
            return address
        return with_query(address, {rules["query"]: _fill(rules["value"], self._poll.secrets)})

    def _header(self) -> dict[str, str]:
        rules, secrets = self._recipe.get("credentials", {}), self._poll.secrets
        if "basic" in rules:
            pair = ":".join(secrets[name] for name in rules["basic"]).encode()
            return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}
        return {rules["header"]: _fill(rules["value"], secrets)} if "header" in rules else {}

    def _read(self, response: Response) -> tuple[Any, list[Any], bool]:
        """Return the document, its reviews, and whether they are ready. Raises `SourceFailure`.

        A long document is not parsed here, but only by the reader process of imports.
        """
        if len(response.content) > MAX_JSON_BYTES and "pages" not in self._recipe:
            return None, [None], True
        body = response.json()
        is_ordered = "order" in self._recipe
        try:
            is_ready = check(self._recipe, body)
        except SourceFailure as failure:
            if is_ordered and not failure.needs_person:
                failure.state = self._base_state  # The next poll orders again.
            raise
        items = items_at(self._recipe, body)
        if items is None and not is_ordered and "success" not in self._recipe["answer"]:
            raise SourceFailure(
                f"{self._title} answered without a list of reviews. Check the settings."
            )
        return body, items or [], is_ready


def _page(pages: Mapping[str, Any], number: int, token: str) -> dict[str, Any]:
    if number == 1:
        return {pages["parameter"]: number} if "size" in pages else {}
    return {**pages.get("later", {}), pages["parameter"]: token or number}


def check(recipe: Recipe, body: Any) -> bool:
    """Whether a document is final. Raises `SourceFailure` if it reports an error."""
    rules, title = recipe["answer"], recipe["title"]
    status = str(first_at(body, rules.get("status", [])))
    error = first_at(body, rules.get("error", []))
    if status in rules.get("pending", []):
        return False
    if status and "success" in rules:
        has_failed = status not in rules["success"]
    else:
        has_failed = bool(error) if "error" in rules else "success" in rules
    if not has_failed:
        return True
    message = first_at(body, rules.get("message", []))
    says = sanitize(message or error or "nothing that is known here")
    code = f" ({status})" if status.isdecimal() else ""
    if status in rules.get("refused", []):
        raise CredentialsRefused(
            f"{title} refuses access: {says}{code}. Renew the secrets here, then resume the source."
        )
    raise SourceFailure(f"{title} says: {says}{code}. Check the settings and the account.")


# --- Paths and placeholders -----------------------------------------------------------------------


def values_at(document: Any, path: str) -> list[Any]:
    """Return all values at a path of members, like `tasks.result.items`, through lists on it."""
    found = [document]
    for name in filter(None, path.split(".")):
        members = [each for each in flat(found) if isinstance(each, Mapping)]
        found = [each[name] for each in members if name in each]
    return found


def flat(values: Iterable[Any]) -> list[Any]:
    """Flatten nested lists of any depth."""
    found, left = [], [*values][::-1]
    while left:
        each = left.pop()
        if isinstance(each, list):
            left += each[::-1]
        else:
            found.append(each)
    return found


def first_at(document: Any, paths: str | list[str]) -> Any:
    """Return the first non-empty value at one of the paths, or ""."""
    listed = [paths] if isinstance(paths, str) else paths
    found = (each for path in listed for each in flat(values_at(document, path)))
    return next((each for each in found if each not in (None, "")), "")


def id_at(document: Any, path: str) -> str:
    """Return the id at a path, or "" if it is not safe in an address."""
    found = str(first_at(document, path))
    return found if _ID.fullmatch(found) else ""


def items_at(recipe: Recipe, body: Any) -> list[Any] | None:
    """Return the reviews in a document, or None if it lacks their members."""
    places = [
        place
        for path in _paths(recipe)
        if path or isinstance(body, list)
        for place in values_at(body, path)
    ]
    return [each for each in flat(places) if each not in (None, "")] if places else None


def _paths(recipe: Recipe) -> list[str]:
    paths: str | list[str] = recipe["answer"]["items"]
    return [paths] if isinstance(paths, str) else paths


def _fill(template: Any, values: Mapping[str, Any]) -> Any:
    """Replace the placeholders of a template. Members that stay empty are left out."""
    if isinstance(template, Mapping):
        filled = {name: _fill(inner, values) for name, inner in template.items()}
        return {name: value for name, value in filled.items() if value not in (None, "")}
    if isinstance(template, list):
        return [_fill(inner, values) for inner in template]
    if not isinstance(template, str):
        return template
    if whole := PLACEHOLDER.fullmatch(template):
        return values.get(whole[1], "")
    return PLACEHOLDER.sub(lambda name: str(values.get(name[1], "")), template)


def _inputs(recipe: Recipe, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the inputs. Of the inputs in `one_of`, only the first is kept."""
    values = {name: given.get(name, "") for name in recipe.get("inputs", {})}
    for name in [name for name in recipe.get("one_of", []) if values[name]][1:]:
        values[name] = ""
    return values
