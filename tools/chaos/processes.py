"""Processes that can be killed, frozen and started again, each the leader of a group of its own."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from tools.benchmarks.measuring import free_port

ROOT = Path(__file__).resolve().parents[2]
LAST_WORDS = 2_000  # Characters of a log.


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

    def fallen(self) -> list[str]:
        """Processes that ended without having been killed."""
        return [member.name for member in self._members if member.has_fallen()]

    def end(self) -> None:
        for member in reversed(self._members):
            member.kill()


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

    def listen(self, port: int, seconds: float) -> None:
        """Start it and wait until it listens; Broken, with its last words, if it does not."""
        self.start()
        try:
            wait_for(f"{self.name} listening", lambda: self._is_listening(port), seconds)
        except Broken as error:
            said = (self._family.logs / f"{self.name}.log").read_text(errors="replace")
            raise Broken(f"{error} Its last words:\n{said[-LAST_WORDS:]}") from None

    def _is_listening(self, port: int) -> bool:
        if self.has_fallen():
            raise Broken(f"{self.name} has ended.")
        return is_listening(port)

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
        self._process = None

    def wait(self, seconds: float) -> None:
        assert self._process is not None
        self._process.wait(seconds)

    def stop(self, seconds: float) -> None:
        """Ask it to end in good order, as a supervisor does; Broken if it does not in time."""
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Broken(f"{self.name} did not stop within {seconds:g} seconds.") from None
        finally:
            self.kill()

    @property
    def pipes(self) -> tuple[IO[str], IO[str]]:
        """To it and from it, if it talks."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout


# --- Servers of our own ---------------------------------------------------------------------------


class Redis:
    """A server that keeps nothing when it is killed."""

    def __init__(self, family: Family, port: int) -> None:
        self.url = f"redis://127.0.0.1:{port}/0"
        self._port = port
        command = [program("redis-server", "redis-server"), "--port", str(port)]
        command += ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.member = family.member("redis", [*command, "--dir", str(family.logs)])

    def start(self) -> None:
        self.member.listen(self._port, 10)


class RabbitMQ:
    """A node with a port mapper of its own; its messages do not outlive it."""

    def __init__(self, family: Family, port: int) -> None:
        self.url = f"amqp://guest:guest@127.0.0.1:{port}//"
        self._port = port
        self._mapper_port = free_port()
        folder = family.logs / "rabbitmq"
        folder.mkdir()
        plugins = folder / "plugins"
        plugins.write_text("[].")
        given = {
            "HOME": str(folder),
            "ERL_EPMD_PORT": str(self._mapper_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"chaos-{port}@localhost",
            "RABBITMQ_NODE_PORT": str(port),
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": str(folder),
            "RABBITMQ_LOG_BASE": str(folder),
            "RABBITMQ_PID_FILE": str(folder / "pid"),
            "RABBITMQ_CONFIG_FILE": str(folder / "none"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(plugins),
        }
        # Not the command on the path, which would become another user.
        server = program("rabbitmq-server", "rabbitmq-server", path="/usr/lib/rabbitmq/bin")
        mapper = [program("epmd", "rabbitmq-server"), "-address", "127.0.0.1"]
        mapper += ["-port", str(self._mapper_port)]
        self._mapper = family.member("port-mapper", mapper)
        self.member = family.member("rabbitmq", [server], env={**os.environ, **given})

    def begin(self) -> None:
        """Starts it, which takes a while."""
        self._mapper.listen(self._mapper_port, 10)
        self.member.start()

    def start(self) -> None:
        self.begin()
        try:
            self.member.listen(self._port, 60)
        except Broken:
            # One node in some ten never gets up, without a word; the next one does.
            self.member.kill()
            self._mapper.kill()
            self.begin()
            self.member.listen(self._port, 120)


class PostgreSQL:
    """A cluster in a folder of its own."""

    def __init__(self, family: Family, port: int, *options: str) -> None:
        """Create the cluster, with further options of `initdb`."""
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
            [
                program("initdb", "postgresql"),
                "-D",
                data,
                "-U",
                "chaos",
                "--auth=trust",
                "-N",
                *options,
            ],
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
        self._data, self._user = Path(data), user

    def limit_files(self, size: int | None) -> None:
        """Let files of new sessions grow to so many bytes; None: without end."""
        postmaster = (self._data / "postmaster.pid").read_text().split()[0]
        limit = "unlimited" if size is None else str(size)
        subprocess.run(
            [program("prlimit", "util-linux"), f"--pid={postmaster}", f"--fsize={limit}:"],
            user=self._user,
            group=self._user,
            extra_groups=[] if self._user else None,
            check=True,
        )

    def start(self) -> None:
        self.member.listen(self._port, 20)

    def crash(self) -> None:
        """Stop in the mode `immediate`: sessions are cut off, nothing is tidied up."""
        self.member.signal(signal.SIGQUIT)
        self.member.wait(10)


def program(name: str, package: str, path: str = "") -> str:
    """Where it is; raises Missing when it is nowhere."""
    places = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    path = path or os.pathsep.join([os.environ.get("PATH", ""), *map(str, places)])
    if found := shutil.which(name, path=path):
        return found
    raise Missing(f"{name} is not installed; on Debian: apt install {package}.")


@contextlib.contextmanager
def family(logs: Path) -> Iterator[Family]:
    members = Family(logs)
    try:
        yield members
    finally:
        members.end()
