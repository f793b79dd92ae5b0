"""Processes that can be killed, frozen and started again, each the leader of a group of its own.

A watchdog ends what is left when the command itself is killed, so nothing outlives a run.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from config.supervisor import WATCHDOG

ROOT = Path(__file__).resolve().parent.parent


class Broken(Exception):
    """The run cannot go on; the message says why."""


def wait_for(what: str, is_true: Callable[[], bool], seconds: float, pause: float = 0.05) -> None:
    """Raises Broken when it has not come true in time."""
    deadline = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > deadline:
            raise Broken(f"{what} did not come true within {seconds:g} seconds.")
        time.sleep(pause)


def is_listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


class Family:
    """All processes of a run."""

    def __init__(self, logs: Path) -> None:
        self.logs = logs
        self._members: list[Member] = []
        self._watchdog = subprocess.Popen(
            [sys.executable, str(WATCHDOG)],
            stdin=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def member(
        self,
        name: str,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        user: str | None = None,
        talks: bool = False,
    ) -> "Member":
        member = Member(self, name, command, env or os.environ, user, talks=talks)
        self._members.append(member)
        return member

    def tell_watchdog(self, line: str) -> None:
        stdin = self._watchdog.stdin
        assert stdin is not None
        with contextlib.suppress(OSError):
            stdin.write(f"{line}\n")
            stdin.flush()

    def fallen(self) -> list[str]:
        """Who has ended without having been killed."""
        return [member.name for member in self._members if member.has_fallen()]

    def end(self) -> None:
        for member in reversed(self._members):
            member.kill()
        self.tell_watchdog("done")
        self._watchdog.wait(10)


class Member:
    """One command, which may be started as often as it was killed."""

    def __init__(
        self,
        family: Family,
        name: str,
        command: Sequence[str],
        env: Mapping[str, str],
        user: str | None,
        *,
        talks: bool,
    ) -> None:
        self.name = name
        self._family = family
        self._command = command
        self._env = env
        self._user = user
        self._talks = talks
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Does nothing while it runs."""
        if self.is_running():
            return
        self.kill()
        pipe = subprocess.PIPE if self._talks else None
        with (self._family.logs / f"{self.name}.log").open("a") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=self._env,
                user=self._user,
                group=self._user,
                extra_groups=[] if self._user else None,
                stdin=pipe or subprocess.DEVNULL,
                stdout=pipe or log,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        self._family.tell_watchdog(f"+{self._process.pid}")

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def has_fallen(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def signal(self, number: signal.Signals) -> None:
        """To every process of the group."""
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """`kill -9` for the whole group, however it is at the moment."""
        if self._process is None:
            return
        self.signal(signal.SIGKILL)
        self._process.wait(10)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._family.tell_watchdog(f"-{self._process.pid}")
        self._process = None

    def wait(self, seconds: float) -> None:
        assert self._process is not None
        self._process.wait(seconds)

    @property
    def pipes(self) -> tuple[IO[str], IO[str]]:
        """To it and from it, if it talks."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout


# --- Servers of our own, which nobody else uses ---------------------------------------------------


class Redis:
    """A server that keeps nothing when it is killed."""

    def __init__(self, family: Family, port: int) -> None:
        self.url = f"redis://127.0.0.1:{port}/0"
        self._port = port
        command = [program("redis-server", "redis-server"), "--port", str(port)]
        command += ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.member = family.member("redis", [*command, "--dir", str(family.logs)])

    def start(self) -> None:
        self.member.start()
        wait_for("Redis listening", lambda: is_listening(self._port), 10)


class PostgreSQL:
    """A cluster in a folder of its own."""

    def __init__(self, family: Family, port: int) -> None:
        self.url = f"postgres://chaos@127.0.0.1:{port}/postgres"
        self._port = port
        # PostgreSQL refuses to run as root.
        user = "postgres" if os.geteuid() == 0 else None
        folder = family.logs / "postgresql"
        folder.mkdir()
        if user:
            family.logs.chmod(0o711)  # So that it gets to its own.
            shutil.chown(folder, user)
        data = str(folder / "data")
        subprocess.run(
            [program("initdb", "postgresql"), "-D", data, "-U", "chaos", "--auth=trust", "-N"],
            user=user,
            group=user,
            extra_groups=[] if user else None,
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        given = {
            "listen_addresses": "127.0.0.1",
            "port": str(port),
            "unix_socket_directories": "",
            "fsync": "off",  # What is killed are processes; the machine stays.
        }
        command = [program("postgres", "postgresql"), "-D", data]
        command += [part for name, value in given.items() for part in ("-c", f"{name}={value}")]
        self.member = family.member("postgresql", command, user=user)

    def start(self) -> None:
        self.member.start()
        wait_for("PostgreSQL listening", lambda: is_listening(self._port), 20)

    def crash(self) -> None:
        """What its own `immediate` stop does: sessions are cut off, nothing is tidied up."""
        self.member.signal(signal.SIGQUIT)
        self.member.wait(10)


def program(name: str, package: str) -> str:
    """Where it is; raises Broken with a sentence when it is missing."""
    places = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, places)])
    if found := shutil.which(name, path=path):
        return found
    raise Broken(f"{name} is not installed; on Debian: apt install {package}.")


@contextlib.contextmanager
def family(logs: Path) -> Iterator[Family]:
    members = Family(logs)
    try:
        yield members
    finally:
        members.end()
