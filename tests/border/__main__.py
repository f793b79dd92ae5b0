"""Record what the border answers: `python -m tests.border [FOLDER]` writes one file per group.

One process with a database of its own, a demo of 40 reviews, and a clock that stands still, so that
the same code writes the same bytes. Look at the difference before you keep it: it is what every
client will notice.
"""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).with_name("recorded")
NOW = "2026-11-15T12:00:00+00:00"
KEPT_BODY = 20_000  # Characters; a digest stands for the rest.


def record(folder: Path, part: str) -> None:
    import time_machine

    with time_machine.travel(NOW, tick=False):
        _prepare()
        folder.mkdir(parents=True, exist_ok=True)
        for name, lines in PARTS[part]():
            (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _prepare() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("make_demo", "--reviews", "40", verbosity=0, stdout=io.StringIO())
    call_command("refresh_insights", verbosity=0, stdout=io.StringIO())
    call_command("publish_documents", verbosity=0, stdout=io.StringIO())


def _answers() -> Iterable[tuple[str, list[str]]]:
    from tests.border import exchanges

    yield "documents.txt", _recorded(exchanges.DOCUMENTS)
    yield "search.txt", _recorded(exchanges.SEARCH)
    yield "errors.txt", _recorded(exchanges.ERRORS)
    yield "mcp.txt", [*_session(), *_recorded(exchanges.MCP_STATELESS)]
    yield "hub.txt", _recorded(exchanges.HUB_REQUESTS)
    yield "pages.txt", _pages()


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
    from tests.wsgi import ask, environment

    environ = environment(exchange.query, exchange.method, path=exchange.path, body=exchange.body)
    return ask(application, environ | exchange.headers)


def _lines(exchange: Any, status: str, headers: dict[str, str], body: bytes) -> list[str]:
    """The exchange as it goes over the wire, headers sorted, one JSON-RPC message a line."""
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


def _pages() -> list[str]:
    from django.contrib.auth import get_user_model
    from django.test import Client

    from tests.border.exchanges import ADMIN_PAGES, PAGES

    client = Client(HTTP_HOST="reviews.example", raise_request_exception=False)
    lines = [line for path in PAGES for line in _outline(client, path)]
    lines += _outline(client, "/admin/login/")
    client.force_login(get_user_model().objects.create_superuser("office", "", "long-password"))
    return lines + [line for path in ADMIN_PAGES for line in _outline(client, f"/admin/{path}")]


def _outline(client: Any, path: str) -> list[str]:
    """The structure of a page: headings, links, fields and buttons in their order."""
    response = client.get(path, secure=True)
    outline = Outline()
    outline.feed(b"".join(response).decode())
    return [f"> {path}", f"< {response.status_code}", *map(_steady, outline.lines), ""]


class Outline(HTMLParser):
    TEXT = ("title", "h1", "h2", "h3", "th", "legend", "button", "label")

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._tag = ""
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag in self.TEXT:
            self._tag, self._text = tag, []
        elif tag == "a" and found.get("href"):
            self.lines.append(f"a {found['href']}")
        elif tag in {"input", "select", "textarea"} and found.get("name"):
            self.lines.append(f"{tag} {found.get('type') or ''} {found['name']}")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._tag:
            self.lines.append(f"{tag} {' '.join(''.join(self._text).split())}")
            self._tag = ""

    def handle_data(self, data: str) -> None:
        if self._tag:
            self._text.append(data)


def _commands() -> Iterable[tuple[str, list[str]]]:
    from django.core.management import CommandError, call_command

    from tests.border.exchanges import COMMANDS, FILE, ULID

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "reviews.csv"
        file.write_text(FILE)
        lines = []
        for name, *arguments in COMMANDS:
            out = io.StringIO()
            ending = "ok"
            with contextlib.redirect_stderr(out):
                try:
                    given = [argument.format(file=file) for argument in arguments]
                    call_command(name, *given, stdout=out, stderr=out)
                except CommandError as error:
                    ending = f"error {error.returncode}: {error}"
                except SystemExit as error:
                    ending = f"exit {error.code}"
            printed = ULID.sub("ULID", out.getvalue()).replace(folder, "FOLDER").rstrip()
            lines += [f"> {name} {' '.join(arguments)}", printed, f"< {ending}", ""]
        yield "commands.txt", [line.replace(folder, "FOLDER") for line in lines]


# Each in a process and with a database of its own: a web process also publishes what is due.
PARTS = {"answers": _answers, "commands": _commands}


def _environment(state: str) -> dict[str, str]:
    limits = ("RATE_LIMIT_SEARCH", "RATE_LIMIT_MCP", "RATE_LIMIT_HUB")
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "ENV_FILE": os.devnull,
        "STATE_DIR": state,
        "SECRET_KEY": "border-" + "k" * 50,
        "BASE_URL": "https://reviews.example",
        "CELERY_BROKER_URL": "memory://",
        "HUB_ALLOW_NETS": "127.0.0.0/8",  # The callbacks that are asked are on this machine.
        "LOG_LEVEL": "ERROR",
        **dict.fromkeys(limits, "10000/hour"),
    }


if __name__ == "__main__":
    target, *chosen = sys.argv[1:] or [str(RECORDED)]
    if chosen:
        record(Path(target), chosen[0])
    else:
        for each in PARTS:
            with tempfile.TemporaryDirectory() as state:
                command = [sys.executable, "-m", "tests.border", target, each]
                subprocess.run(command, env=os.environ | _environment(state), check=True)
