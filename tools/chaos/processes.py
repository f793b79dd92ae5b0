"""Processes that can be killed, frozen and started again, each the leader of a group of its own."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.benchmarks.measuring import free_port

ROOT = Path(__file__).resolve().parents[2]


class Broken(Exception):
    """The run cannot go on; the message says why."""


class Missing(Broken):
    """A program that has to be installed first."""


def wait_for(what: str, is_true: Callable[[], bool], seconds: float, pause: float = 0.05) -> None:
    """Raises Broken when it has not come true in time."""
    deadline = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > deadline:
            raise Broken(f"{what} did not come true within {seconds:g} seconds.")
        time.sleep(pause)


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@dataclass(slots=True)
class Member:
    """One command, which may be started as often as it was killed."""

    name: str
    command: Sequence[str]
    log: Path
    env: Mapping[str, str]
    user: str | None
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the process, with pipes to and from it; does nothing while it runs."""
        if self.process is not None and not self.has_fallen():
            return
        self.kill()
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=self.env,
                **as_user(self.user),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE if self.name == "editor" else log,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def listen(self, port: int, seconds: float) -> None:
        """Start it and wait until it listens; Broken, with the end of its log, if it does not."""
        self.start()
        try:
            wait_for(
                f"{self.name} listening", lambda: self.has_fallen() or is_listening(port), seconds
            )
            if self.has_fallen():
                raise Broken(f"{self.name} has ended.")
        except Broken as error:
            raise Broken(f"{error} Its log: {self.log.read_text('utf-8')[-2_000:]}") from None

    def has_fallen(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to every process of the group."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def kill(self) -> None:
        """Kill the whole group with -9, also while it is frozen."""
        if self.process is None:
            return
        self.signal(signal.SIGKILL)
        with contextlib.suppress(OSError):
            self.process.communicate(timeout=10)
        self.process = None

    def stop(self, seconds: float) -> None:
        """Ask it to end in good order, as a supervisor does; Broken if it does not in time."""
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Broken(f"{self.name} did not stop within {seconds:g} seconds.") from None
        finally:
            self.kill()


@dataclass(frozen=True, slots=True)
class Family:
    """All processes of a run."""

    logs: Path
    members: list[Member] = field(default_factory=list)

    def member(
        self,
        name: str,
        command: Sequence[str],
        env: Mapping[str, str] | None = None,
        user: str | None = None,
    ) -> Member:
        member = Member(name, command, self.logs / f"{name}.log", env or os.environ, user)
        self.members.append(member)
        return member

    def fallen(self) -> list[str]:
        """Processes that ended without having been killed."""
        return [member.name for member in self.members if member.has_fallen()]


@contextlib.contextmanager
def family(logs: Path) -> Iterator[Family]:
    members = Family(logs)
    try:
        yield members
    finally:
        for member in reversed(members.members):
            member.kill()


# --- Servers of our own ---------------------------------------------------------------------------


class Redis:
    """A server that keeps nothing when it is killed."""

    def __init__(self, family: Family) -> None:
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"
        command = [program("redis-server", "redis-server"), "--port", str(self._port)]
        command += ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.member = family.member("redis", [*command, "--dir", str(family.logs)])

    def start(self) -> None:
        self.member.listen(self._port, 10)


class RabbitMQ:
    """A node with a port mapper of its own; its messages do not outlive it."""

    def __init__(self, family: Family) -> None:
        self._port, self._mapper_port = free_port(), free_port()
        self.url = f"amqp://guest:guest@127.0.0.1:{self._port}//"
        folder = family.logs / "rabbitmq"
        folder.mkdir()
        plugins = folder / "plugins"
        plugins.write_text("[].")
        given = {
            "HOME": str(folder),
            "ERL_EPMD_PORT": str(self._mapper_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"chaos-{self._port}@localhost",
            "RABBITMQ_NODE_PORT": str(self._port),
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": str(folder),
            "RABBITMQ_LOG_BASE": str(folder),
            "RABBITMQ_PID_FILE": str(folder / "pid"),
            "RABBITMQ_CONFIG_FILE": str(folder / "none"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(plugins),
        }
        mapper = [program("epmd", "rabbitmq-server"), "-address", "127.0.0.1"]
        mapper += ["-port", str(self._mapper_port)]
        self._mapper = family.member("port-mapper", mapper)
        # Not the command on the path, which would become another user.
        server = program("rabbitmq-server", "rabbitmq-server", path="/usr/lib/rabbitmq/bin")
        self.member = family.member("rabbitmq", [server], {**os.environ, **given})

    def start(self) -> None:
        self._mapper.listen(self._mapper_port, 10)
        try:
            self.member.listen(self._port, 60)
        except Broken:
            # One node in some ten never gets up, without a word; the next one does.
            self.member.kill()
            self._mapper.kill()
            self._mapper.listen(self._mapper_port, 10)
            self.member.listen(self._port, 120)


class PostgreSQL:
    """A cluster in a folder of its own."""

    def __init__(self, family: Family, *options: str) -> None:
        """Create the cluster, with further options of `initdb`."""
        self.port = free_port()
        self.url = f"postgres://chaos@127.0.0.1:{self.port}/postgres"
        # PostgreSQL refuses to run as root.
        user = "postgres" if os.geteuid() == 0 else None
        folder = family.logs / "postgresql"
        folder.mkdir()
        if user:
            family.logs.chmod(0o711)  # So that it gets to its own.
            shutil.chown(folder, user)
        data = str(folder / "data")
        create = [program("initdb", "postgresql"), "-D", data, "-U", "chaos", "--auth=trust", "-N"]
        subprocess.run(
            [*create, *options],
            **as_user(user),
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        command = [program("postgres", "postgresql"), "-D", data, "-p", str(self.port)]
        command += ["-h", "127.0.0.1", "-k", ""]
        command += ["-F"]  # Processes are killed; the machine stays.
        self.member = family.member("postgresql", command, user=user)

    def start(self) -> None:
        self.member.listen(self.port, 20)

    def crash(self) -> None:
        """Stop in the mode `immediate`: sessions are cut off, nothing is tidied up."""
        assert self.member.process is not None
        self.member.signal(signal.SIGQUIT)
        self.member.process.wait(10)


def as_user(name: str | None) -> dict[str, Any]:
    """Options of `subprocess` that run a command as this user."""
    return {"user": name, "group": name, "extra_groups": []} if name else {}


def program(name: str, package: str, path: str = "") -> str:
    """Where it is; raises Missing when it is nowhere."""
    places = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    path = path or os.pathsep.join([os.environ.get("PATH", ""), *map(str, places)])
    if found := shutil.which(name, path=path):
        return found
    raise Missing(f"{name} is not installed; on Debian: apt install {package}.")
