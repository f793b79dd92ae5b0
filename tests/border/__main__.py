"""Record the responses of the interface: `python -m tests.border [FOLDER]`.

Writes one file per group. Runs in one process with its own database, a demo of 40 reviews and a
stopped clock, so that the same code writes the same bytes. Review the difference before you commit
it: every client will see it.
"""

import io
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools.demo_reviews import __main__ as demo_reviews

RECORDED = Path(__file__).with_name("recorded")
NOW = "2026-11-15T12:00:00+00:00"
KEPT_BODY = 4_000  # Characters. A digest replaces the rest.


def record(folder: Path) -> None:
    import time_machine

    with time_machine.travel(NOW, tick=False):
        _prepare()
        folder.mkdir(parents=True, exist_ok=True)
        for name, lines in _groups():
            (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _prepare() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    demo_reviews.main(["--reviews", "40"])
    call_command("refresh_insights", verbosity=0, stdout=io.StringIO())
    call_command("publish_documents", verbosity=0, stdout=io.StringIO())


def _groups() -> Iterable[tuple[str, list[str]]]:
    from tests.border import exchanges

    yield "documents.txt", _recorded(exchanges.DOCUMENTS)
    yield "search.txt", _recorded(exchanges.SEARCH)
    yield "mcp.txt", [*_session(), *_recorded(exchanges.MCP_STATELESS)]
    yield "hub.txt", _recorded(exchanges.HUB_REQUESTS)


def _recorded(wanted: Iterable[Any]) -> list[str]:
    return [line for exchange in wanted for line in _lines(exchange, *_ask(exchange))]


def _session() -> list[str]:
    from tests.border.exchanges import INITIALIZE, MCP_MESSAGES, post

    first = post("/mcp", INITIALIZE)
    answer = _ask(first)
    fields = {"HTTP_MCP_SESSION_ID": dict(answer[1])["mcp-session-id"]}
    later = [post("/mcp", message, **fields) for message in MCP_MESSAGES]
    end = post("/mcp", b"", **fields)
    return [*_lines(first, *answer), *_recorded(later), *_recorded([_with_method(end, "DELETE")])]


def _with_method(exchange: Any, method: str) -> Any:
    import dataclasses

    return dataclasses.replace(exchange, method=method)


def _ask(exchange: Any) -> tuple[str, dict[str, str], bytes]:
    from config.wsgi import application
    from tests.wsgi import call_application, environment

    environ = environment(exchange.query, exchange.method, path=exchange.path, body=exchange.body)
    return call_application(application, environ | exchange.headers)


def _lines(exchange: Any, status: str, headers: dict[str, str], body: bytes) -> list[str]:
    """Format an exchange as sent, with sorted headers and one JSON-RPC message per line."""
    address = f"{exchange.path}?{exchange.query}" if exchange.query else exchange.path
    sent = [
        f"{name}: {value}"
        for name, value in sorted(exchange.headers.items())
        if name != "HTTP_MCP_SESSION_ID"
    ]
    fields = [f"{name}: {value}" for name, value in sorted(headers.items())]
    shown = "" if exchange.body is None else exchange.body.decode()
    return [
        f"> {exchange.method} {address} {' '.join(sent)}".rstrip(),
        *([f"> {shown}"] if shown else []),
        f"< {status}",
        *(f"< {_steady(line)}" for line in fields),
        _body(headers, body),
        "",
    ]


def _body(headers: dict[str, str], body: bytes) -> str:
    import hashlib

    if "content-encoding" in headers:
        return f"[{len(body)} bytes, {hashlib.sha256(body).hexdigest()[:16]}]"
    text = _steady(body.decode())
    if len(text) > KEPT_BODY:
        rest = hashlib.sha256(text.encode()).hexdigest()[:16]
        return f"{text[:KEPT_BODY]}[... {len(text)} characters, {rest}]"
    return text


def _steady(text: str) -> str:
    from tests.border.exchanges import VARYING

    for pattern, replacement in VARYING:
        text = pattern.sub(replacement, text)
    return text


def _environment(state: str) -> dict[str, str]:
    limits = ("RATE_LIMIT_SEARCH", "RATE_LIMIT_MCP", "RATE_LIMIT_HUB")
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "ENV_FILE": os.devnull,
        "STATE_DIR": state,
        "SECRET_KEY": "border-" + "k" * 50,
        "BASE_URL": "https://reviews.example",
        "CELERY_BROKER_URL": "memory://",
        "WEBSUB_ALLOWED_NETWORKS": "127.0.0.0/8",  # The callbacks listen here.
        "LOG_LEVEL": "ERROR",
        **dict.fromkeys(limits, "10000/hour"),
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if sys.argv[1:] else RECORDED
    with tempfile.TemporaryDirectory() as state:
        os.environ |= _environment(state)
        record(folder)
