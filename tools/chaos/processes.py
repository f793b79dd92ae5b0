"""Processes that can be killed, frozen and restarted, each in its own process group."""

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

from tools.benchmarks.measuring import ROOT, free_port


class ChaosError(Exception):
    """The run cannot continue; the message says why."""


class ProgramMissing(ChaosError):
    """A required program is not installed."""


def wait_for(what: str, is_true: Callable[[], bool], seconds: float, pause: float = 0.05) -> None:
    """Wait until a condition holds; raises ChaosError after `seconds`."""
    deadline = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > deadline:
            raise ChaosError(f"{what} did not come true within {seconds:g} seconds.")
        time.sleep(pause)


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@dataclass(slots=True)
class ManagedProcess:
    """One command, which can be killed and started again."""

    name: str
    command: Sequence[str]
    log: Path
    env: Mapping[str, str]
    user: str | None
    popen: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the process with pipes to it, unless it runs."""
        if self.popen is not None and not self.has_exited():
            return
        self.kill()
        with self.log.open("a") as log:
            self.popen = subprocess.Popen(
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
        """Start the process and wait until it listens.

        Raises ChaosError, with the end of the log, if it does not listen in time.
        """
        self.start()
        try:
            wait_for(
                f"{self.name} listening", lambda: self.has_exited() or is_listening(port), seconds
            )
            if self.has_exited():
                raise ChaosError(f"{self.name} has ended.")
        except ChaosError as error:
            raise ChaosError(f"{error} Its log: {self.log.read_text('utf-8')[-2_000:]}") from None

    def has_exited(self) -> bool:
        return self.popen is not None and self.popen.poll() is not None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to every process of the group."""
        assert self.popen is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.popen.pid, number)

    def kill(self) -> None:
        """Kill the process group with SIGKILL, even if it is frozen."""
        if self.popen is None:
            return
        self.signal(signal.SIGKILL)
        with contextlib.suppress(OSError):
            self.popen.communicate(timeout=10)
        self.popen = None

    def stop(self, seconds: float) -> None:
        """Terminate the process gracefully; raises ChaosError after `seconds`."""
        assert self.popen is not None
        self.popen.terminate()
        try:
            self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            raise ChaosError(f"{self.name} did not stop within {seconds:g} seconds.") from None
        finally:
            self.kill()


@dataclass(frozen=True, slots=True)
class Supervisor:
    """All processes of a run."""

    logs: Path
    processes: list[ManagedProcess] = field(default_factory=list)

    def add(
        self,
        name: str,
        command: Sequence[str],
        env: Mapping[str, str] | None = None,
        user: str | None = None,
    ) -> ManagedProcess:
        process = ManagedProcess(name, command, self.logs / f"{name}.log", env or os.environ, user)
        self.processes.append(process)
        return process

    def exited(self) -> list[str]:
        """Return the names of processes that exited without being killed."""
        return [process.name for process in self.processes if process.has_exited()]


@contextlib.contextmanager
def supervise(logs: Path) -> Iterator[Supervisor]:
    """Kill all processes at the end of the block."""
    supervisor = Supervisor(logs)
    try:
        yield supervisor
    finally:
        for process in reversed(supervisor.processes):
            process.kill()


# --- Servers --------------------------------------------------------------------------------------


class Redis:
    """A server without persistence."""

    def __init__(self, supervisor: Supervisor) -> None:
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"
        command = [program("redis-server", "redis-server"), "--port", str(self._port)]
        command += ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = supervisor.add("redis", [*command, "--dir", str(supervisor.logs)])

    def start(self) -> None:
        self.process.listen(self._port, 10)


class RabbitMQ:
    """A node with its own port mapper, without persistence."""

    def __init__(self, supervisor: Supervisor) -> None:
        self._port, self._mapper_port = free_port(), free_port()
        self.url = f"amqp://guest:guest@127.0.0.1:{self._port}//"
        folder = supervisor.logs / "rabbitmq"
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
        self._mapper = supervisor.add("port-mapper", mapper)
        # The command on the path would switch to another user.
        server = program("rabbitmq-server", "rabbitmq-server", path="/usr/lib/rabbitmq/bin")
        self.process = supervisor.add("rabbitmq", [server], {**os.environ, **given})

    def start(self) -> None:
        self._mapper.listen(self._mapper_port, 10)
        try:
            self.process.listen(self._port, 60)
        except ChaosError:
            # About one node in ten never starts, without an error; a second attempt works.
            self.process.kill()
            self._mapper.kill()
            self._mapper.listen(self._mapper_port, 10)
            self.process.listen(self._port, 120)


class PostgreSQL:
    """A new database cluster."""

    def __init__(self, supervisor: Supervisor, *options: str) -> None:
        """Create the cluster, with further options of `initdb`."""
        self.port = free_port()
        self.url = f"postgres://chaos@127.0.0.1:{self.port}/postgres"
        # PostgreSQL refuses to run as root.
        user = "postgres" if os.geteuid() == 0 else None
        folder = supervisor.logs / "postgresql"
        folder.mkdir()
        if user:
            supervisor.logs.chmod(0o711)  # Lets the user reach its folder.
            shutil.chown(folder, user)
        data = str(folder / "data")
        create = [program("initdb", "postgresql"), "-D", data, "-U", "chaos", "--auth=trust", "-N"]
        subprocess.run(
            [*create, *options], **as_user(user), cwd=folder, check=True, stdout=subprocess.DEVNULL
        )
        command = [program("postgres", "postgresql"), "-D", data, "-p", str(self.port)]
        command += ["-h", "127.0.0.1", "-k", ""]
        command += ["-F"]  # Processes are killed; the machine stays.
        self.process = supervisor.add("postgresql", command, user=user)

    def start(self) -> None:
        self.process.listen(self.port, 20)

    def crash(self) -> None:
        """Stop in the mode `immediate`, without closing sessions or a checkpoint."""
        assert self.process.popen is not None
        self.process.signal(signal.SIGQUIT)
        self.process.popen.wait(10)


def as_user(name: str | None) -> dict[str, Any]:
    """Return options of `subprocess` that run a command as another user."""
    return {"user": name, "group": name, "extra_groups": []} if name else {}


def program(name: str, package: str, path: str = "") -> str:
    """Find a program; raises ProgramMissing."""
    places = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    path = path or os.pathsep.join([os.environ.get("PATH", ""), *map(str, places)])
    if found := shutil.which(name, path=path):
        return found
    raise ProgramMissing(f"{name} is not installed; on Debian: apt install {package}.")
