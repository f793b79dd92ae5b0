"""The chat completions interface that OpenAI introduced and many servers, local ones too, speak."""

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

TIMEOUT_SECONDS = 90  # A small model on a processor writes some ten words a second.
WAITS_SECONDS = (1.0, 4.0)  # Before the second and the third try.
LONGEST_WAIT_SECONDS = 20.0  # Of those that a server asks for.
MOST_BYTES = 1_000_000
MOST_TOKENS = 10_000_000  # A count beyond this is nonsense.
PASSING = frozenset({408, 429, 500, 502, 503, 504})  # Worth another try.
# Schemas are unknown, or this review is too long or held to be improper.
OF_THE_QUESTION = frozenset({400, 413, 422})
SEED = 1
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")  # What no database keeps.


class ChatUnavailable(Exception):
    """No usable reply; the message says why, and never holds the key or a review."""


class ChatTooSlow(ChatUnavailable):
    """No reply in time; fewer reviews may have one."""


class QuestionRefused(Exception):
    """The server works, but does not take this question; the message says why, and no more."""


@dataclass(frozen=True, slots=True)
class Reply:
    content: str  # Empty where the model said nothing that can be kept.
    tokens: int  # Of question and answer, by the server's count; an estimate where it has none.


class ChatClient:
    """Asks one model; safe to share between threads."""

    def __init__(self, base_url: str, key: str, model: str) -> None:
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._model = model
        self._takes_schema = True

    def ask(self, messages: list[dict[str, str]], schema: dict[str, Any]) -> Reply:
        """The model's answer, in the schema where the server can hold it to one.

        Tries three times at most, and once where it is slow. Raises ChatUnavailable and
        QuestionRefused.
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
                if status in OF_THE_QUESTION:
                    raise QuestionRefused(reason)
                if status not in PASSING:
                    raise ChatUnavailable(reason)
            if wait is None or retry_after > LONGEST_WAIT_SECONDS:
                break
            time.sleep(max(wait, retry_after))
        raise ChatUnavailable(reason)

    def _post(self, messages: list[dict[str, str]], schema: dict[str, Any]) -> requests.Response:
        answer = self._send(messages, schema if self._takes_schema else None)
        if answer.status_code in OF_THE_QUESTION and self._takes_schema:
            # Many servers know no schemas; what the model says is checked all the same.
            again = self._send(messages, None)
            self._takes_schema = again.status_code in OF_THE_QUESTION
            return again
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
        # The operator names the address, which may be this machine's own.
        everywhere = ("0.0.0.0/0", "::/0")
        with Session(allow=everywhere, timeout=TIMEOUT_SECONDS, max_bytes=MOST_BYTES) as session:
            return session.post(
                self._url,
                json=body,
                headers=self._headers,
                allow_redirects=False,  # The key is for this address alone.
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
    if type(tokens) is not int or not 0 < tokens <= MOST_TOKENS:
        # A token is some four characters of English.
        tokens = sum(len(message["content"]) for message in messages) // 4 + len(content) // 4
    return Reply(content, tokens)


# --- Answers, and the rest of a day's budget ------------------------------------------------------


def kept_answers(keys: Collection[str]) -> dict[str, str]:
    """The answers that are still known, by the keys of their questions."""
    return dict(ChatAnswer.objects.filter(key__in=keys).values_list("key", "content"))


def left_today() -> int:
    """How many reviews may still be asked about today."""
    day = _today()
    left = settings.INSIGHTS_CHAT_REVIEWS_PER_DAY - day.reviews
    return max(0, left) if day.tokens < settings.INSIGHTS_CHAT_TOKENS_PER_DAY else 0


@transaction.atomic
def take(wanted: int) -> int:
    """How many of so many reviews may still be asked about today; they count as asked about."""
    day = ChatDay.objects.select_for_update().get(pk=_today().pk)
    taken = min(wanted, left_today())
    day.reviews += taken
    day.save()
    return taken


@transaction.atomic
def keep(answers: Mapping[str, str], tokens: int) -> None:
    """Keep what was answered, by the keys of the questions, and what all of it cost."""
    ChatAnswer.objects.bulk_create(
        [ChatAnswer(key=key, content=content) for key, content in answers.items()],
        ignore_conflicts=True,
    )
    ChatDay.objects.filter(pk=_today().pk).update(tokens=F("tokens") + tokens)


def count_fallbacks(count: int) -> None:
    """Note that so many reviews were left to the rules."""
    ChatDay.objects.filter(pk=_today().pk).update(fallbacks=F("fallbacks") + count)


def _today() -> ChatDay:
    day, _ = ChatDay.objects.get_or_create(day=timezone.now().astimezone(dt.UTC).date())
    return day
