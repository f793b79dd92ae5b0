"""Read and validate settings from the environment.

`make up` writes the secret key and address of a local installation to `local.env` in `STATE_DIR`.
The environment takes precedence over that file. An invalid value ends the process with a sentence
that names the variable.
"""

import math
import os
import re
import sys
from collections.abc import Callable, Collection, Mapping
from io import StringIO
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import SplitResult, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured
from kombu import Connection

from guarded_http.addresses import parse_networks

SQLITE = "django.db.backends.sqlite3"

_CODE = Path(__file__).resolve().parent.parent
BASE_DIR = Path(os.environ.get("BASE_DIR", "").strip() or _CODE)


class SettingRefused(SystemExit, ImproperlyConfigured):
    """An invalid setting.

    As a `SystemExit`, it ends every entry point (manage.py, Celery, the web server) with its
    sentence on stderr, exit code 1 and no traceback. Django and tests catch it as
    `ImproperlyConfigured`.
    """


def refuse(name: str, why: str, remedy: str) -> NoReturn:
    raise SettingRefused(f"{name} {why}. {remedy}")


def load_file(file: Path, *, is_named: bool) -> None:
    """Set the variables of a file that the environment lacks. Only a named file must exist."""
    try:
        # Some editors write a byte order mark, which would become part of the first name.
        environ.Env.read_env(StringIO(file.read_text(encoding="utf-8-sig")))
    except FileNotFoundError:
        if is_named:
            refuse("ENV_FILE", f"is {str(file)!r}, which is not there", "Correct it.")
    except UnicodeDecodeError:
        refuse(str(file), "is not UTF-8", "Type it again, in plain letters and digits.")
    except OSError as error:
        # The parent process may have read the file already, as systemd does.
        if is_named or not os.environ.get("SECRET_KEY"):
            why = f"cannot be read ({error.strerror})"
            refuse(str(file), why, "Let this user read it.")


# Here and below, an empty value (`NAME=` in a file) counts as not set.
_env_file = os.environ.get("ENV_FILE", "").strip()
load_file(BASE_DIR / (_env_file or ".env"), is_named=bool(_env_file))
if sys.argv[1:2] != ["collectstatic"]:  # Another user may serve static files.
    os.umask(0o077)  # Only this user may read files in STATE_DIR.
STATE_DIR = (BASE_DIR / (os.environ.get("STATE_DIR", "").strip() or "var")).resolve()
LOCAL_ENV = STATE_DIR / "local.env"


def given(name: str) -> str:
    """Return the value of `name`, or the content of the file that `name`_FILE names."""
    value, file = (os.environ.get(each, "").strip() for each in (name, f"{name}_FILE"))
    if not file:
        return value
    if value:
        refuse(name, f"and {name}_FILE are both set", "Leave out one of them.")
    try:
        value = Path(file).read_text(encoding="utf-8-sig").strip()
    except UnicodeDecodeError:
        refuse(f"{name}_FILE", f"names {file!r}, which is not UTF-8", "Write it again as text.")
    except OSError as error:
        why = f"names {file!r}, which cannot be read ({error.strerror})"
        refuse(f"{name}_FILE", why, "Correct it, or let this user read the file.")
    return value or refuse(f"{name}_FILE", f"names {file!r}, which is empty", "Fill it.")


for _name in ("SECRET_KEY", "BASE_URL"):  # `make up` generates these if they are not set.
    _value = given(_name)
    os.environ.pop(f"{_name}_FILE", None)
    if _value:
        os.environ[_name] = _value
    else:
        os.environ.pop(_name, None)
GIVEN = frozenset(os.environ)  # Variables that the operator set, rather than `make up`.
environ.Env.read_env(LOCAL_ENV)


EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104  (compared, not bound)
# An installation that listens on all addresses without BASE_URL does not know its public address.
# Published links start with localhost until an administrator confirms the address.
CONFIRMED_ADDRESS = STATE_DIR / "public_address"
MAY_CONFIRM_ADDRESS = (
    "BASE_URL" not in GIVEN and os.environ.get("HOST", "").strip() in EVERY_ADDRESS
)


def confirmed_address() -> str:
    """Return the public address that an administrator confirmed, or ""."""
    try:
        value = CONFIRMED_ADDRESS.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return value if is_origin(value) else ""


def required(name: str, remedy: str) -> str:
    return text(name) or refuse(name, "is not set", remedy)


def folder(name: str, path: Path) -> Path:
    """Return `path`, and create the folder for this user only if it does not exist."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        why = f"is {str(path)!r}, which cannot be made ({error.strerror})"
        refuse(name, why, "Set it to a folder that this user may write.")
    return path


def path(name: str) -> Path | None:
    """Return a path, relative to `BASE_DIR`."""
    value = text(name)
    return BASE_DIR / value if value else None


def text(name: str, default: str = "") -> str:
    value = given(name)
    try:
        value.encode()
    except UnicodeEncodeError:
        refuse(
            name, "holds bytes that are not UTF-8", "Type it again, in plain letters and digits."
        )
    return value or default


def bearer_token(name: str) -> str:
    """Return a bearer token, or "". Error messages do not repeat it."""
    value = text(name)
    if value and not re.fullmatch(r"[!-~]+", value):
        remedy = "Set it to the key alone: letters, digits and signs of ASCII, without blanks."
        refuse(name, "holds a character that no header carries", remedy)
    return value


def names(name: str) -> list[str]:
    """Return the entries between commas, without blanks and empty ones."""
    return [part.strip() for part in text(name).split(",") if part.strip()]


def readable(name: str, default: str, read: Callable[[str], object], remedy: str) -> str:
    """Return the text, if `read` accepts it without a ValueError."""
    value = text(name, default)
    try:
        read(value)
    except ValueError as error:
        why = str(error).rstrip(".")
        refuse(name, f"is {value!r}, which cannot be used ({why})", remedy)
    return value


def networks(name: str) -> list[str]:
    """Return networks in CIDR notation between commas."""
    remedy = "Set it to networks like 10.0.0.0/8,fd00::/8, or leave it out."
    readable(name, "", lambda nets: parse_networks(nets.split(",")), remedy)
    return names(name)


def is_origin(value: str) -> bool:
    match = re.fullmatch(r"https?://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?", value)
    return match is not None and int((match[2] or ":0")[1:]) <= 65_535


def origin(name: str, remedy: str) -> SplitResult:
    """Return a public address of scheme, host and port only."""
    value = required(name, remedy).rstrip("/")
    if not is_origin(value):
        remedy = f"Set it to scheme, host and port alone, like {name}=https://reviews.example.com."
        refuse(name, f"is {value!r}, not an origin", remedy)
    return urlsplit(value)


def host_names(name: str) -> list[str]:
    """Return host patterns of Django: a name, .a-domain, [an address] or *."""
    hosts = names(name)
    for host in hosts:
        if not re.fullmatch(r"\*|\.?[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]", host):
            remedy = f"Set it to names alone, like {name}=reviews.example.com,www.example.com."
            refuse(name, f"holds {host!r}, which is not a host name", remedy)
    return hosts


# Error messages do not repeat addresses of services in full, since they may contain a password.
ESCAPED = "In a password, write / @ : # ? and % as %2F %40 %3A %23 %3F and %25"


def database(name: str, default: Path) -> dict[str, Any]:
    value = text(name)
    if not value:
        return {"ENGINE": SQLITE, "NAME": str(default)}
    scheme, separator, rest = value.partition("://")
    example = f"Set it like {name}=postgres://user:password@host:5432/reviews, or leave it out."
    if scheme not in {"postgres", "postgresql", "sqlite"} or not separator or not rest.strip("/"):
        refuse(name, f"(which starts with {scheme[:20]!r}) names no database", example)
    try:
        return dict(environ.Env.db_url_config(value))
    except ValueError:
        refuse(name, "has no host and port that can be read", f"{ESCAPED}. {example}")


def service_url(name: str, schemes: Collection[str], example: str) -> str:
    """Return the address of a cache or broker, or ""."""
    value = text(name)
    scheme = value.partition("://")[0]
    if value and ("://" not in value or scheme not in schemes):
        known = ", ".join(f"{scheme}://" for scheme in schemes)
        why = f"(which starts with {scheme[:20]!r}) is none of {known}"
        refuse(name, why, f"Set it like {name}={example}.")
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError:
        why = "has no host and port that can be read"
        refuse(name, why, f"{ESCAPED}. Set it like {name}={example}.")
    number = parts.path.removeprefix("/")
    if parts.scheme in {"redis", "rediss"} and not re.fullmatch("/?[0-9]*", number):
        why = f"names the database {number[:20]!r}, which is not a number"
        refuse(name, why, f"Set it like {name}={example}.")
    return value


def mail_server(name: str) -> dict[str, Any]:
    """Return the `EMAIL_*` settings for the address of a mail server, or {} without one."""
    value = text(name)
    if not value:
        return {}
    example = f"Set it like {name}=smtp+tls://user:password@mail.example.com:587."
    try:
        found = dict(environ.Env.email_url_config(value))
    except (ImproperlyConfigured, ValueError):
        refuse(name, "names no mail server", f"{ESCAPED}. {example}")
    if value.startswith("smtp") and not found["EMAIL_HOST"]:
        refuse(name, "names no mail server", example)
    if value.startswith("smtp"):
        found["EMAIL_TIMEOUT"] = 20
    return {key: given for key, given in found.items() if given}


def mailer(given: Mapping[str, Any]) -> dict[str, Any]:
    """Convert `EMAIL_*` settings to an entry of `MAILERS` (Django 6.1)."""
    names = {"EMAIL_HOST_USER": "username", "EMAIL_HOST_PASSWORD": "password"}
    options = {
        names.get(key, key.removeprefix("EMAIL_").lower()): value
        for key, value in given.items()
        if key != "EMAIL_BACKEND"
    }
    return {"BACKEND": given["EMAIL_BACKEND"], "OPTIONS": options}


def broker_url(name: str, schemes: Collection[str], example: str) -> str:
    """Return the address of a broker, with options that Kombu accepts, or ""."""
    value = service_url(name, schemes, example)
    try:
        Connection(value)
    except (TypeError, ValueError):
        why = "has an option that no broker takes"
        refuse(name, why, f"Leave out what follows the ?, like {name}={example}.")
    return value


def listening(name: str, example: str) -> tuple[str, int] | None:
    """Parse host and port like `127.0.0.1:9464`. An empty value returns None."""
    value = text(name)
    host, _, port = value.rpartition(":")
    if not value:
        return None
    if not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        refuse(name, f"is {value!r}, no address and port", f"Set it like {name}={example}.")
    return host.strip("[]"), int(port)


def one_of(name: str, choices: Collection[str], default: str) -> str:
    """Return one of `choices`, compared without case."""
    given = text(name, default)
    known = {choice.upper(): choice for choice in choices}
    if given.upper() not in known:
        refuse(name, f"is {given[:30]!r}", f"Set it to one of {', '.join(choices)}.")
    return known[given.upper()]


MAX_NUMBER = 1_000_000_000  # Fits into the integers of a database and into a span of seconds.
MAX_BYTES = 2**40


def positive_int(name: str, default: int, *, least: int = 0, most: int = MAX_NUMBER) -> int:
    return int(_number(name, default, least, most, whole=True))


def positive_float(name: str, default: float, *, least: float = 0, most: int = MAX_NUMBER) -> float:
    return float(_number(name, default, least, most, whole=False))


def _number(name: str, default: float, least: float, most: int, *, whole: bool) -> float:
    given = text(name)
    if not given:
        return default
    try:
        value = int(given) if whole else float(given)
    except ValueError:
        value = -1
    if not least <= value <= most:
        kind = "a whole number" if whole else "a number"
        why = f"is {given[:30]!r}, not {kind} from {least} to {most}"
        refuse(name, why, f"Set it like {name}={default}.")
    return value


def whole_seconds(name: str, default: int, *, least: float = 0.01) -> int:
    """Return a number of seconds, rounded up."""
    return math.ceil(_number(name, default, least, MAX_NUMBER, whole=False))


def flag(name: str, *, default: bool) -> bool:
    given = text(name).lower()
    if not given:
        return default
    if given in {"1", "true", "yes", "on"}:
        return True
    if given in {"0", "false", "no", "off"}:
        return False
    refuse(name, f"is {given!r}, not a yes or no", f"Set {name}=1 or {name}=0.")


def rate(name: str, default: str) -> tuple[int, int] | None:
    """Parse a rate like `600/min` to (requests, seconds). An empty value means no limit."""
    given = os.environ.get(name, default).strip()
    if not given:
        return None
    count, _, period = given.partition("/")
    seconds = {"s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "hour": 3600}.get(period.strip())
    if not re.fullmatch(r"\s*0*[1-9]\d{0,8}\s*", count, re.ASCII) or seconds is None:
        remedy = f"Set it like {name}={default}, or leave it empty for no limit."
        refuse(name, f"is {given[:30]!r}, not a rate", remedy)
    return int(count), seconds


def seconds_list(name: str, default: str) -> tuple[float, ...]:
    """Parse seconds like `300,3600`, fractions allowed. An empty value is an empty list."""
    text = os.environ.get(name, default).strip()
    try:
        spans = tuple(float(part) for part in text.split(",")) if text else ()
    except ValueError:
        spans = (-1.0,)
    if not all(0 <= span <= MAX_NUMBER for span in spans):
        why = f"is {text[:30]!r}, not a list of seconds from 0 to {MAX_NUMBER}"
        refuse(name, why, f"Set it like {name}={default}.")
    return spans
