"""Format log records with the id of their request, and mask secrets in addresses."""

import logging
import re
import time
from collections.abc import Iterable, Iterator, MutableMapping
from contextvars import ContextVar
from http import HTTPStatus
from itertools import count
from typing import Any

import orjson
from django.urls import URLPattern, URLResolver
from django.utils.crypto import get_random_string
from django.utils.safestring import SafeString
from django.views.debug import ExceptionReporter

NO_REQUEST = "-"
request_id: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
LINE_BREAKS = re.compile(r"[\n\r\x0b\x0c\x85\u2028\u2029]\s*")


# --- Secrets of addresses -------------------------------------------------------------------------

# Parameters of URL patterns and queries whose values neither logs nor error pages show.
SECRET_PARAMETERS = frozenset(
    {"code", "key", "password", "secret", "token", "uidb36", "uidb64", "verify_token"}
)
HIDDEN = "[hidden]"

_names = "|".join(sorted(SECRET_PARAMETERS))
_IN_PATTERN = re.compile(rf"\(\?P<(?:{_names})>")
_QUERY = re.compile(rf"([?&](?:[\w.-]+\.)?(?:{_names})=)[^\s&\"'<>#]+", re.IGNORECASE)
_rules = [_QUERY]


def hide_secret_paths(patterns: Iterable[URLPattern | URLResolver]) -> None:
    """Have `mask_secrets` hide the values of secret parameters of these URL patterns."""
    _rules[:] = [_QUERY, *_secret_paths(patterns)]


def _secret_paths(
    patterns: Iterable[URLPattern | URLResolver], before: str = ""
) -> Iterator[re.Pattern[str]]:
    for entry in patterns:
        regex = before + entry.pattern.regex.pattern.removeprefix("^")
        if isinstance(entry, URLResolver):
            yield from _secret_paths(entry.url_patterns, regex)
        elif secret := _IN_PATTERN.search(regex):
            # Mask the rest of the path, since a mistyped address may hold the secret elsewhere.
            literal, group, others = regex[: secret.start()].partition("(")
            others = re.sub(r"\(\?P<\w+>", "(?:", group + others)
            path = f"(/{literal}(?:{others})?)".replace("/", "/+")
            yield re.compile(rf"{path}[^\s?#\"'<>]+", re.IGNORECASE)


def mask_secrets(text: str) -> str:
    """Mask secrets of addresses in a text."""
    for rule in _rules:
        text = rule.sub(rf"\1{HIDDEN}", text)
    return text


class MaskedLogRecord(logging.LogRecord):
    """A log record with masked secrets of addresses."""

    def getMessage(self) -> str:  # noqa: N802  (the library's name)
        return mask_secrets(super().getMessage())


class MaskedExceptionReporter(ExceptionReporter):
    """Django's exception reporter with masked secrets of the request's address."""

    def get_traceback_html(self) -> SafeString:
        return self._masked(super().get_traceback_html())

    def get_traceback_text(self) -> SafeString:
        return self._masked(super().get_traceback_text())

    def _masked(self, page: str) -> SafeString:
        text = str(page)
        match = getattr(self.request, "resolver_match", None)
        for name, value in (match.kwargs if match else {}).items():
            if name in SECRET_PARAMETERS:
                text = text.replace(str(value), HIDDEN)
        return SafeString(mask_secrets(text))


# --- Lines ----------------------------------------------------------------------------------------


class RequestIdFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


class LineFormatter(logging.Formatter):
    """Format a record as one line, with the time in UTC; a traceback follows in indented lines.

    Line breaks become a blank and control characters are escaped, so that texts of clients can
    neither forge lines nor control a terminal.
    """

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (the library's name)
        return escape_controls(LINE_BREAKS.sub(" ", super().formatMessage(record)))

    def formatException(self, ei: Any) -> str:  # noqa: N802  (the library's name)
        return _indented(mask_secrets(super().formatException(ei)))

    def formatStack(self, stack_info: str) -> str:  # noqa: N802  (the library's name)
        return _indented(super().formatStack(stack_info))


def escape_controls(text: str) -> str:
    """Escape control characters like `\\x1b`."""
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def _indented(text: str) -> str:
    return "\n".join(f"    {escape_controls(line)}" for line in text.split("\n"))


class JsonFormatter(LineFormatter):
    """Format a record as a JSON object on one line.

    Keys are `at` (RFC 3339, UTC), `level`, `logger`, `request_id`, `process`, `message`, and
    `error` with a traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "request_id": getattr(record, "request_id", request_id.get()),
            "process": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = mask_secrets(logging.Formatter.formatException(self, record.exc_info))
        # A client's text may hold surrogates, which orjson would refuse.
        for key in ("message", "error", "request_id"):
            if key in line:
                line[key] = line[key].encode("utf-8", "replace").decode()
        # JSON has control characters only within strings.
        return CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", orjson.dumps(line).decode())


def is_fault(record: logging.LogRecord) -> bool:
    """Whether a record reports a fault; a 501 refuses a client's format (oEmbed 2.3.5)."""
    return getattr(record, "status_code", 500) != HTTPStatus.NOT_IMPLEMENTED


def logging_settings(format_: str, level: str) -> dict[str, Any]:
    """Return Django's `LOGGING`; `format_` is `line` or `json`. Masks records of all loggers."""
    logging.setLogRecordFactory(MaskedLogRecord)
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "request_id": {"()": "core.logging.RequestIdFilter"},
            "fault": {"()": "django.utils.log.CallbackFilter", "callback": is_fault},
        },
        "formatters": {
            "line": {
                "()": "core.logging.LineFormatter",
                "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s",
            },
            "json": {"()": "core.logging.JsonFormatter"},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "filters": ["request_id"],
                "formatter": format_,
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
            "django.request": {"level": "ERROR", "filters": ["fault"]},
            # The client gets a 400, and a traceback would not help.
            "django.security": {"level": "CRITICAL"},
            "axes": {"level": "ERROR"},  # `sign_in.log` logs the same with the user's name.
            # The sweep sends messages every few seconds; the tasks log their results.
            "celery.beat": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
        },
    }


# --- Ids of requests ------------------------------------------------------------------------------


PLAIN = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestIds:
    """Generator of ids: a random part for the process, and a number."""

    def __init__(self) -> None:
        self._process = get_random_string(12)
        self._numbers = count(1)

    def new(self) -> str:
        return f"{self._process}.{next(self._numbers)}"

    def assign(self, environ: MutableMapping[str, Any]) -> str:
        """Set the request's id in the environment: the client's if it is plain, else a new one."""
        requested: str = environ.get("HTTP_X_REQUEST_ID", "")
        chosen = requested if PLAIN.fullmatch(requested) else self.new()
        environ["HTTP_X_REQUEST_ID"] = chosen
        return chosen
