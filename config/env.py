"""Values from the environment: read once, checked at once, refused with a sentence that names them.

`make up` writes what a local installation needs (its secret key and address) to `local.env` in
`STATE_DIR`. The environment wins over that file, so an operator's settings are never shadowed.
"""

import os
from pathlib import Path
from typing import NoReturn

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")

STATE_DIR = (BASE_DIR / env.str("STATE_DIR", default="var")).resolve()
LOCAL_ENV = STATE_DIR / "local.env"
GIVEN = frozenset(os.environ)  # What the operator set, as opposed to what `make up` wrote.
environ.Env.read_env(LOCAL_ENV)


class SettingRefused(SystemExit, ImproperlyConfigured):
    """A value that no process starts with.

    Being both, it ends every entry point (manage.py, Celery, the web server) with its sentence on
    stderr, exit code 1 and no traceback, and Django and tests still catch it by Django's name.
    """


def refuse(name: str, why: str, remedy: str) -> NoReturn:
    raise SettingRefused(f"{name} {why}. {remedy}")


def required(name: str, remedy: str) -> str:
    """The value of `name`; without one the process does not start."""
    value = str(env.str(name, default="")).strip()
    if not value:
        refuse(name, "is not set", remedy)
    return value


def positive_int(name: str, default: int) -> int:
    return int(_number(name, default, whole=True))


def positive_float(name: str, default: float) -> float:
    return _number(name, default, whole=False)


def _number(name: str, default: float, *, whole: bool) -> float:
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    try:
        value = int(text) if whole else float(text)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        kind = "a whole number" if whole else "a number"
        refuse(name, f"is {text!r}, not {kind} of zero or more", f"Set it like {name}={default}.")
    return value


def flag(name: str, *, default: bool) -> bool:
    text = os.environ.get(name, "").strip().lower()
    if not text:
        return default
    if text in {"1", "true", "yes", "on"}:
        return True
    if text in {"0", "false", "no", "off"}:
        return False
    refuse(name, f"is {text!r}, not a yes or no", f"Set {name}=1 or {name}=0.")


def rate(name: str, default: str) -> tuple[int, int] | None:
    """`600/min` as (requests, seconds); an empty value switches the limit off."""
    text = os.environ.get(name, default).strip()
    if not text:
        return None
    count, _, period = text.partition("/")
    seconds = {"s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "hour": 3600}.get(period.strip())
    if not count.strip().isdecimal() or int(count) < 1 or seconds is None:
        remedy = f"Set it like {name}={default}, or leave it empty for no limit."
        refuse(name, f"is {text!r}, not a rate", remedy)
    return int(count), seconds
