"""Client of OpenAI's chat completions API, which many other servers implement."""

import datetime as dt
import json
import re
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import requests
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from guarded_http import AnswerRefused, Session, retry_after_seconds
from insights.models import ChatAnswer, ChatDay

TIMEOUT_SECONDS = 90  # A small model on a CPU writes some ten words a second.
WAITS_SECONDS = (1.0, 4.0)  # Before the second and the third attempt.
LONGEST_WAIT_SECONDS = 20.0  # For the header Retry-After.
MAX_BYTES = 1_000_000
MAX_TOKENS = 10_000_000  # A higher count is not credible.
TRANSIENT = frozenset({408, 429, 500, 502, 503, 504})
# The server does not know schemas, or refuses the length or content of a review.
REFUSING = frozenset({400, 413, 422})
SEED = 1
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")  # Characters that databases refuse.


class ChatUnavailable(Exception):
    """The server gave no usable reply; the message contains neither the key nor a review."""


class ChatTooSlow(ChatUnavailable):
    """The server gave no reply in time; a smaller request may succeed."""


class QuestionRefused(Exception):
    """The server refused this request; the message contains neither the key nor a review."""


@dataclass(frozen=True, slots=True)
class Reply:
    content: str  # Empty if the model returned no valid text.
    tokens: int  # Of question and answer; an estimate if the server counts none.


class ChatClient:
    """Client of one model; threads may share it."""

    def __init__(self, base_url: str, key: str, model: str) -> None:
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._model = model
        self._takes_schema = True

    def ask(self, messages: list[dict[str, str]], schema: dict[str, Any]) -> Reply:
        """Return the model's answer, which follows the schema if the server supports schemas.

        Makes at most three attempts, and no further one after a timeout. Raises `ChatUnavailable`
        or `QuestionRefused`.
        """
        for wait in (*WAITS_SECONDS, None):
            began = time.monotonic()
            try:
                answer = self._post(messages, schema)
            except AnswerRefused as refused:
                raise ChatUnavailable(f"its answer cannot be read: {refused}") from None
            except requests.RequestException as error:
                if time.monotonic() - began >= TIMEOUT_SECONDS:
                    raise ChatTooSlow(f"no answer within {TIMEOUT_SECONDS} s") from None
                reason, retry_after = f"it cannot be reached ({type(error).__name__})", 0.0
            else:
                status = answer.status_code
                if status == 200:
                    return _reply(answer.content, messages)
                reason = f"it answered {status}"
                header = answer.headers.get("Retry-After", "")
                retry_after = retry_after_seconds(header, timezone.now())
                if status in REFUSING:
                    raise QuestionRefused(reason)
                if status not in TRANSIENT:
                    raise ChatUnavailable(reason)
            if wait is None or retry_after > LONGEST_WAIT_SECONDS:
                break
            time.sleep(max(wait, retry_after))
        raise ChatUnavailable(reason)

    def _post(self, messages: list[dict[str, str]], schema: dict[str, Any]) -> requests.Response:
        answer = self._send(messages, schema if self._takes_schema else None)
        if answer.status_code in REFUSING and self._takes_schema:
            # Many servers do not know schemas, and answers are checked anyway.
            answer = self._send(messages, None)
            self._takes_schema = answer.status_code in REFUSING
        return answer

    def _send(
        self, messages: list[dict[str, str]], schema: dict[str, Any] | None
    ) -> requests.Response:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": messages,
            "temperature": 0,
            "seed": SEED,
        }
        if schema is not None:
            named = {"name": "review", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        # The operator configures the address, which may be a local one.
        everywhere = ("0.0.0.0/0", "::/0")
        with Session(allow=everywhere, timeout=TIMEOUT_SECONDS, max_bytes=MAX_BYTES) as session:
            return session.post(
                self._url,
                json=body,
                headers=self._headers,
                allow_redirects=False,  # Another address must not get the key.
            )


def _reply(body: bytes, messages: list[dict[str, str]]) -> Reply:
    try:
        answer = json.loads(body)
        content = answer["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise ChatUnavailable("its answer is not a chat completion") from None
    if not isinstance(content, str) or _NO_TEXT.search(content):
        content = ""
    usage = answer.get("usage")
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
    if type(tokens) is not int or not 0 < tokens <= MAX_TOKENS:
        # A token has about four characters of English.
        tokens = sum(len(message["content"]) for message in messages) // 4 + len(content) // 4
    return Reply(content, tokens)


# --- Stored answers and the daily budget ----------------------------------------------------------


def stored_answers(keys: Collection[str]) -> dict[str, str]:
    """Stored answers by key."""
    return dict(ChatAnswer.objects.filter(key__in=keys).values_list("key", "content"))


def remaining_today() -> int:
    """Number of reviews that the daily budget still allows."""
    day = _today()
    left = settings.INSIGHTS_CHAT_REVIEWS_PER_DAY - day.reviews
    return max(0, left) if day.tokens < settings.INSIGHTS_CHAT_TOKENS_PER_DAY else 0


@transaction.atomic
def reserve(wanted: int) -> int:
    """Take up to `wanted` reviews from the daily budget, and return their number."""
    day = ChatDay.objects.select_for_update().get(pk=_today().pk)
    reserved = min(wanted, remaining_today())
    day.reviews += reserved
    day.save()
    return reserved


@transaction.atomic
def store_answers(answers: Mapping[str, str], tokens: int) -> None:
    """Store answers by key, and count their tokens."""
    ChatAnswer.objects.bulk_create(
        [ChatAnswer(key=key, content=content) for key, content in answers.items()],
        ignore_conflicts=True,
    )
    ChatDay.objects.filter(pk=_today().pk).update(tokens=F("tokens") + tokens)


def count_fallbacks(count: int) -> None:
    """Count reviews that were left to the rules."""
    ChatDay.objects.filter(pk=_today().pk).update(fallbacks=F("fallbacks") + count)


def _today() -> ChatDay:
    day, _ = ChatDay.objects.get_or_create(day=timezone.now().astimezone(dt.UTC).date())
    return day
