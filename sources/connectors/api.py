"""Any paged JSON API, asked and read as a recipe says.

An order costs money: its id is stored before its results are asked for, so that neither a killed
worker nor an early look orders twice.
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
    MOST_JSON_BYTES,
    Answer,
    CredentialsRefused,
    NotThere,
    SourceFailure,
    origin_of,
    shown,
)
from sources.connectors.paging import MOST_PAGES, follow, with_query
from sources.connectors.protocol import Fetched, Look, Unchanged
from sources.connectors.recipe import FOUND, JOB, PLACEHOLDER, Recipe, credential_names

POLL_SECONDS = 30
LONGEST_SECONDS = 2 * 3600
WHOLE_SECONDS = 30 * 24 * 3600  # After so long all pages are read, to find changed reviews.
NEWEST_KEPT = 200  # Ids, by which the next look finds where it may end.
_ID = re.compile(r"[\w~:-][\w.~:-]{0,199}", re.ASCII)


def fetch(recipe: Recipe, look: Look) -> Fetched | Unchanged:
    """Ask for the reviews; without the credentials of the recipe pushes alone bring some."""
    if credential_names(recipe) - look.secrets.keys():
        return Unchanged()
    return _Api(recipe, look).fetch()


class _Api:
    """One look at an API."""

    def __init__(self, recipe: Recipe, look: Look) -> None:
        self._recipe, self._look, self._title = recipe, look, recipe["title"]
        self._values = _inputs(recipe, look.settings)
        self._kept: dict[str, Any] = {}  # The part of the state that does not depend on reviews.

    def fetch(self) -> Fetched | Unchanged:
        if lookup := self._recipe.get("lookup"):
            found = self._look.state.get(FOUND) or id_at(self._ask(lookup).json(), lookup["id"])
            if not found:
                raise SourceFailure(
                    f"{self._title} finds nothing by these settings. Copy them from its pages."
                )
            self._kept = {FOUND: found}
            self._values |= self._kept
        if "order" in self._recipe:
            return self._ordered()
        return self._walked() if "pages" in self._recipe else self._followed()

    def _fetched(self, content: bytes, items: Any, body: Any, state: Any) -> Fetched | Unchanged:
        """The reviews that were read; unchanged where there are none."""
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

    # --- An order, whose results are asked for until they are ready ---

    def _ordered(self) -> Fetched | Unchanged:
        order, own = self._recipe["order"], self._look.state.get(JOB, "")
        job = self._look.announced or own
        if not job:
            job = id_at(self._read(self._ask(order))[0], order["id"])
            if not job:
                raise SourceFailure(
                    f"{self._title} gave the order no id. The next look orders again."
                )
            return self._wait(job)
        # Results that were ordered elsewhere leave the own order under way.
        state = self._kept if job == own else self._look.state
        try:
            answer = self._ask(self._recipe["request"], {JOB: job})
        except NotThere:
            return Unchanged(state)
        body, items, is_ready = self._read(answer)
        if is_ready:
            return self._fetched(answer.content, items, body, state)
        if job != own:
            raise SourceFailure(f"{self._title} announced results that are not ready yet.")
        return self._wait(job)

    def _wait(self, job: str) -> Unchanged:
        order, now = self._recipe["order"], timezone.now().timestamp()
        since = self._look.state.get("since", now) if self._look.state.get(JOB) == job else now
        longest = order.get("longest_seconds", LONGEST_SECONDS)
        if now - since > longest:
            raise SourceFailure(
                f"{self._title} has not finished an order within {longest / 3600:g} hours. The "
                "next look orders again.",
                state=self._kept,
            )
        state = {**self._kept, JOB: job, "since": since}
        return Unchanged(state, order.get("poll_seconds", POLL_SECONDS))

    # --- Pages that the recipe describes; if newest first, until one brings nothing new ---

    def _walked(self) -> Fetched | Unchanged:
        pages, before = self._recipe["pages"], self._look.state
        now = timezone.now().timestamp()
        known: Mapping[str, Any] = before.get("newest", {})
        is_whole = not known or now - before.get("whole_at", 0.0) > WHOLE_SECONDS
        first: Any = None
        items: list[Any] = []
        contents: set[bytes] = set()
        size, token, has_news, is_left = 0, "", False, True
        while is_left and len(contents) < MOST_PAGES and size <= settings.IMPORT_MAX_BYTES:
            answer = self._ask(self._recipe["request"], more=_page(pages, len(contents) + 1, token))
            if answer.content in contents:
                break
            body, found, _ = self._read(answer)
            is_fresh = any(known.get(key) != version for key, version in map(self._version, found))
            token = str(first_at(body, pages.get("next", [])))
            is_last = len(found) < pages["size"] if "size" in pages else not token
            is_left = not is_last and (is_fresh or is_whole)
            first, items, has_news = first or body, items + found, has_news or is_fresh
            contents.add(answer.content)
            size += len(answer.content)
        versions = [(key, version) for key, version in map(self._version, items) if key]
        state = dict(self._kept)
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
        return self._fetched(self._joined(first, items), items, first, state)

    def _version(self, item: Any) -> tuple[str, list[Any]]:
        """The id of a review, and when it was changed."""
        pages = self._recipe["pages"]
        changes = [first_at(item, path) for path in pages.get("changes", [])]
        return str(first_at(item, pages.get("newest_first", []))), changes

    def _joined(self, first: Any, items: list[Any]) -> bytes:
        """The items of all pages where one page has them, beside the total."""
        joined: Any = items
        for name in reversed([name for name in _paths(self._recipe)[0].split(".") if name]):
            joined = {name: joined}
        head = str(self._recipe["answer"].get("total", "")).partition(".")[0]
        if isinstance(first, dict) and head in first:
            joined = {head: first[head], **joined}
        try:
            return json.dumps(joined).encode()
        except RecursionError:  # Deeper than `json.loads` was, by the members around.
            raise SourceFailure(f"The answer of {self._title} is nested too deeply.") from None

    # --- One answer, and the pages that it leads to by itself ---

    def _followed(self) -> Fetched | Unchanged:
        answer = self._ask(self._recipe["request"], state=self._look.state)
        if answer.is_unchanged:
            return Unchanged()
        body, items, _ = self._read(answer)
        content, state = follow(answer, self._get)
        return self._fetched(content, items, body, {**self._kept, **state})

    # --- Requests and answers ---

    def _ask(
        self,
        request: Mapping[str, Any],
        values: Mapping[str, Any] | None = None,
        *,
        more: Mapping[str, Any] | None = None,
        state: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Send a request of the recipe, its placeholders replaced."""
        given = {**self._values, **(values or {})}
        address = PLACEHOLDER.sub(
            lambda name: quote(str(given[name[1]]), safe="/~"), request["address"]
        )
        query = {**_filled(request.get("query", {}), given), **(more or {})}
        address = with_query(address, query)
        if "json" not in request:
            return self._get(address, state)
        body = json.dumps(_filled(request["json"], given)).encode()
        return self._look.client.post(self._keyed(address), body, secret_headers=self._header())

    def _get(self, address: str, state: Mapping[str, Any] | None = None) -> Answer:
        """A GET; the secrets go to the host of the recipe alone."""
        if origin_of(address) != origin_of(self._recipe["request"]["address"]):
            return self._look.client.get(address)
        keyed, header = self._keyed(address), self._header()
        return self._look.client.get(keyed, secret_headers=header, state=state)

    def _keyed(self, address: str) -> str:
        """The address with the secret, where a maker takes it in the query alone."""
        rules = self._recipe.get("credentials", {})
        if "query" not in rules:
            return address
        return with_query(address, {rules["query"]: _filled(rules["value"], self._look.secrets)})

    def _header(self) -> dict[str, str]:
        rules, secrets = self._recipe.get("credentials", {}), self._look.secrets
        if "basic" in rules:
            pair = ":".join(secrets[name] for name in rules["basic"]).encode()
            return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}
        return {rules["header"]: _filled(rules["value"], secrets)} if "header" in rules else {}

    def _read(self, answer: Answer) -> tuple[Any, list[Any], bool]:
        """The document, its reviews, and whether they are ready; raises `SourceFailure`.

        The reader of imports alone opens a long answer.
        """
        if len(answer.content) > MOST_JSON_BYTES and "pages" not in self._recipe:
            return None, [None], True
        body = answer.json()
        is_ordered = "order" in self._recipe
        try:
            is_ready = check(self._recipe, body)
        except SourceFailure as failure:
            if is_ordered and not failure.needs_person:
                failure.state = self._kept  # The next look orders again.
            raise
        items = items_at(self._recipe, body)
        if items is None and not is_ordered and "success" not in self._recipe["answer"]:
            raise SourceFailure(
                f"{self._title} answered without a list of reviews. Check the settings."
            )
        return body, items or [], is_ready


def _page(pages: Mapping[str, Any], number: int, token: str) -> dict[str, Any]:
    """The query of a page."""
    if number == 1:
        return {pages["parameter"]: number} if "size" in pages else {}
    return {**pages.get("later", {}), pages["parameter"]: token or number}


def check(recipe: Recipe, body: Any) -> bool:
    """Whether an answer is final; raises `SourceFailure` for an error inside a success."""
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
    says = shown(first_at(body, rules.get("message", [])) or error or "nothing that is known here")
    code = f" ({status})" if status.isdecimal() else ""
    if status in rules.get("refused", []):
        raise CredentialsRefused(
            f"{title} refuses access: {says}{code}. Renew the secrets here, then resume the source."
        )
    raise SourceFailure(f"{title} says: {says}{code}. Check the settings and the account.")


# --- Paths and placeholders -----------------------------------------------------------------------


def values_at(document: Any, path: str) -> list[Any]:
    """All values at a path of members, like `tasks.result.items`, also within lists on it."""
    found = [document]
    for name in filter(None, path.split(".")):
        members = [each for each in flat(found) if isinstance(each, Mapping)]
        found = [each[name] for each in members if name in each]
    return found


def flat(values: Iterable[Any]) -> list[Any]:
    """The values, and those in lists among them, however deep."""
    found, left = [], [*values][::-1]
    while left:
        each = left.pop()
        if isinstance(each, list):
            left += each[::-1]
        else:
            found.append(each)
    return found


def first_at(document: Any, paths: str | list[str]) -> Any:
    """The first value at one of the paths that is not empty; "" without one."""
    listed = [paths] if isinstance(paths, str) else paths
    found = (each for path in listed for each in flat(values_at(document, path)))
    return next((each for each in found if each not in (None, "")), "")


def id_at(document: Any, path: str) -> str:
    """An id that may stand in an address; "" for anything else."""
    found = str(first_at(document, path))
    return found if _ID.fullmatch(found) else ""


def items_at(recipe: Recipe, body: Any) -> list[Any] | None:
    """The reviews in an answer; None where it has no place for them."""
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


def _filled(template: Any, values: Mapping[str, Any]) -> Any:
    """A template with its placeholders replaced; members that stay empty are left out."""
    if isinstance(template, Mapping):
        filled = {name: _filled(inner, values) for name, inner in template.items()}
        return {name: value for name, value in filled.items() if value not in (None, "")}
    if isinstance(template, list):
        return [_filled(inner, values) for inner in template]
    if not isinstance(template, str):
        return template
    if whole := PLACEHOLDER.fullmatch(template):
        return values.get(whole[1], "")
    return PLACEHOLDER.sub(lambda name: str(values.get(name[1], "")), template)


def _inputs(recipe: Recipe, given: Mapping[str, Any]) -> dict[str, Any]:
    """Values of the inputs; of those in `one_of` the first that is filled in."""
    values = {name: given.get(name, "") for name in recipe.get("inputs", {})}
    for name in [name for name in recipe.get("one_of", []) if values[name]][1:]:
        values[name] = ""
    return values
