"""The chat completions interface that OpenAI introduced and many servers, local ones too, speak."""

import json
import re
import time
from dataclasses import dataclass
from typing import Any

import requests
from urllib3.exceptions import HTTPError

TIMEOUT_SECONDS = 30
WAITS_SECONDS = (1.0, 4.0)  # Before the second and the third try.
LONGEST_WAIT_SECONDS = 20.0  # Of those that a server asks for.
MOST_BYTES = 1_000_000
MOST_TOKENS = 10_000_000  # A count beyond this is nonsense.
PASSING = frozenset({408, 429, 500, 502, 503, 504})  # Worth another try.
SEED = 1
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")  # What no database keeps.


class ChatUnavailable(Exception):
    """No usable reply; the message says why, and never holds the key or a review."""


@dataclass(frozen=True, slots=True)
class Reply:
    content: str
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

        Tries three times at most. Raises ChatUnavailable.
        """
        for wait in (*WAITS_SECONDS, None):
            try:
                answer = self._post(messages, schema)
            except (requests.RequestException, HTTPError) as error:
                reason, asked = f"it cannot be reached ({type(error).__name__})", 0.0
            else:
                if answer.status == 200:
                    return _reply(answer.body, messages)
                reason, asked = f"it answered {answer.status}", answer.retry_after
                if answer.status not in PASSING:
                    raise ChatUnavailable(reason)
            if wait is None or asked > LONGEST_WAIT_SECONDS:
                break
            time.sleep(max(wait, asked))
        raise ChatUnavailable(reason)

    def _post(self, messages: list[dict[str, str]], schema: dict[str, Any]) -> "_Answer":
        answer = self._send(messages, schema if self._takes_schema else None)
        if answer.status in {400, 422} and self._takes_schema:
            # Many servers know no schemas; what the model says is checked all the same.
            self._takes_schema = False
            answer = self._send(messages, None)
        return answer

    def _send(self, messages: list[dict[str, str]], schema: dict[str, Any] | None) -> "_Answer":
        body: dict[str, Any] = {
            "model": self._model,
            "messages": messages,
            "temperature": 0,
            "seed": SEED,
        }
        if schema is not None:
            named = {"name": "review", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        with requests.post(
            self._url,
            json=body,
            headers=self._headers,
            timeout=TIMEOUT_SECONDS,
            allow_redirects=False,  # The key is for this address alone.
            stream=True,
        ) as response:
            return _Answer(response.status_code, _retry_after(response), _body(response))


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    retry_after: float
    body: bytes


def _body(response: requests.Response) -> bytes:
    """As much as comes in time: the library's timeout begins anew with every byte."""
    until = time.monotonic() + TIMEOUT_SECONDS
    body = bytearray()
    while len(body) <= MOST_BYTES and (piece := response.raw.read1(65_536, decode_content=True)):
        body += piece
        if time.monotonic() > until:
            raise requests.Timeout
    return bytes(body)


def _reply(body: bytes, messages: list[dict[str, str]]) -> Reply:
    if len(body) > MOST_BYTES:
        raise ChatUnavailable(f"its answer is longer than {MOST_BYTES} bytes")
    try:
        answer = json.loads(body)
        content = answer["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise ChatUnavailable("its answer is not a chat completion") from None
    if not isinstance(content, str) or _NO_TEXT.search(content):
        raise ChatUnavailable("its answer holds no text")
    return Reply(content, _tokens(answer.get("usage")) or _estimate(messages, content))


def _tokens(usage: Any) -> int:
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    if isinstance(total, bool) or not isinstance(total, int):
        return 0
    return total if 0 < total <= MOST_TOKENS else 0


def _estimate(messages: list[dict[str, str]], content: str) -> int:
    """A token is some four characters of English."""
    return sum(len(message["content"]) for message in messages) // 4 + len(content) // 4


def _retry_after(response: requests.Response) -> float:
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isascii() and value.isdigit() and len(value) < 6 else 0.0
