"""The secret key and the address of a local installation, made before its settings are read.

`manage.py up` calls `prepare` first of all. Whatever the environment gives is left alone; what it
does not give is made once and kept in `local.env` under `STATE_DIR`, where every other entry point
finds it.
"""

import argparse
import errno
import fcntl
import os
import secrets
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from config.env import GIVEN, LOCAL_ENV, STATE_DIR, refuse

DEFAULT_PORT = 8000
PORTS_TRIED = 100


@dataclass(frozen=True)
class Address:
    """The address to listen on; `claim` keeps the port until the server is up."""

    host: str
    port: int
    wanted: int
    claim: socket.socket

    @property
    def url(self) -> str:
        """The address as this machine reaches it."""
        host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104  (compared, not bound)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


@dataclass(frozen=True)
class Installation:
    address: Address
    # Held for as long as this process lives and announces its address as the public one.
    announcing: IO[str] | None

    def keep_open(self) -> None:
        """Keep the port and the lock over an `exec`."""
        for held in (self.address.claim, self.announcing):
            if held and held.fileno() >= 0:
                os.set_inheritable(held.fileno(), True)


_prepared: list[Installation] = []


def prepare(arguments: Sequence[str]) -> Installation:
    """Claim a port and make sure that SECRET_KEY and BASE_URL have values; once per process."""
    if not _prepared:
        _prepared.append(_prepare(_wanted_port(arguments)))
    return _prepared[0]


def _prepare(wanted: int) -> Installation:
    try:
        STATE_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        with exclusive(STATE_DIR / "local.lock"):
            address = claim_address(os.environ.get("HOST", "").strip() or "127.0.0.1", wanted)
            kept = _read()
            if "SECRET_KEY" not in GIVEN:
                kept.setdefault("SECRET_KEY", secrets.token_urlsafe(48))
            announcing = None
            if "BASE_URL" not in GIVEN:
                announcing = _become_announcer()
                if announcing or "BASE_URL" not in kept:
                    kept["BASE_URL"] = address.url
            _write(kept)
    except OSError as error:
        remedy = "Make the folder writable, or name another one in STATE_DIR."
        refuse("STATE_DIR", f"is {str(STATE_DIR)!r}, which cannot be written ({error})", remedy)
    os.environ.update({name: value for name, value in kept.items() if name not in GIVEN})
    return Installation(address, announcing)


def _wanted_port(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("manage.py up", add_help=False, allow_abbrev=False)
    parser.add_argument("--port", type=port_number, default=DEFAULT_PORT)
    known: argparse.Namespace = parser.parse_known_args(arguments)[0]
    return int(known.port)


def port_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:6]) <= 65_535):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port. Give a number from 1 to 65535.")
    return int(text)


# --- The address ----------------------------------------------------------------------------------


def claim_address(host: str, wanted: int) -> Address:
    """`wanted` or the next free port, bound so that no other start chooses it too."""
    host = _number_of(host)
    for port in range(wanted, min(wanted + PORTS_TRIED, 65_536)):
        if claim := _claim(host, port):
            return Address(host, port, wanted, claim)
    return refuse(
        "--port",
        f"{wanted} is taken, and so are those after it",
        "Stop what runs there, or choose another port.",
    )


def _number_of(host: str) -> str:
    """The address that a name stands for, since the web server takes no names."""
    try:
        *_, address = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        refuse("HOST", f"is {host!r}, which is not an address", "Set it like HOST=127.0.0.1.")
    return str(address[0])


def _claim(host: str, port: int) -> socket.socket | None:
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    # Without SO_REUSEADDR first: with it, two claims that do not listen yet would both succeed.
    # With it next: connections of a server that has just stopped do not make a port taken.
    for reuse in (False, True):
        claim = socket.socket(family, socket.SOCK_STREAM)
        if reuse:
            claim.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            claim.bind(address)
        except OSError as error:
            claim.close()
            _refuse_unless_taken(host, port, error)
            continue
        if sys.platform == "linux":
            # Set after binding, it lets the web server in, and nobody else.
            claim.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        else:
            claim.close()
        return claim
    return None


def _refuse_unless_taken(host: str, port: int, error: OSError) -> None:
    if error.errno == errno.EADDRINUSE:
        return
    if error.errno in {errno.EACCES, errno.EPERM}:
        refuse("--port", f"{port} needs more rights than you have", "Choose one above 1023.")
    refuse("HOST", f"is {host!r} ({error.strerror})", "Set it to an address of this machine.")


# --- What is kept ---------------------------------------------------------------------------------


def _become_announcer() -> IO[str] | None:
    """Lock the public address for this start; None while another start holds it."""
    lock: IO[str] = (STATE_DIR / "address.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock


def _read() -> dict[str, str]:
    if not LOCAL_ENV.exists():
        return {}
    lines = LOCAL_ENV.read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name: value for name, _, value in pairs}


def _write(kept: dict[str, str]) -> None:
    if kept == _read():
        return
    lines = [
        "# Made by `make up`. The environment wins over this file.",
        *map("=".join, kept.items()),
    ]
    new = LOCAL_ENV.with_suffix(".new")
    new.unlink(missing_ok=True)
    new.touch(mode=0o600, exist_ok=False)
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    new.replace(LOCAL_ENV)


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """One process at a time; the lock ends with its holder, however that ends."""
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.stdout.write(f"Another start holds {path}; waiting for it.\n")
            sys.stdout.flush()
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
