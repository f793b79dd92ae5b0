"""Log lines carry the id of the request that they belong to, also in the worker it made work."""

import logging
import os
import time
from contextvars import ContextVar
from typing import Any

import orjson

NO_REQUEST = "-"
request_id: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)


class RequestIdFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


class LineFormatter(logging.Formatter):
    """For people: one line each, with the time in UTC."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"


class JsonFormatter(LineFormatter):
    """For log stores: one JSON object on a line.

    Keys: `at` (RFC 3339, UTC), `level`, `logger`, `request_id`, `process`, `message`, and `error`
    with the traceback where there is one.
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
            line["error"] = self.formatException(record.exc_info)
        # A stranger's text may hold what is not Unicode; a lost line would be worse than a mark.
        for key in ("message", "error", "request_id"):
            if key in line:
                line[key] = line[key].encode("utf-8", "replace").decode()
        return orjson.dumps(line).decode()


def say_at_once(message: str, stream: object = None) -> None:
    """A line of the log from within a signal handler, which may wait for no lock or buffer."""
    said = {"name": "celery.apps.worker", "levelno": logging.INFO, "levelname": "INFO"}
    for handler in logging.getLogger().handlers:
        record = logging.makeLogRecord({**said, "msg": message})
        handler.filter(record)
        os.write(2, f"{handler.format(record)}\n".encode())
