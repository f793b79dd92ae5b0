"""Break an installation in many ways, and show that its subscribers lose nothing.

`python -m tools.chaos.run [--database sqlite|postgres] [--broker files|redis|rabbitmq] [--scenario
NAME]` starts real processes in a temporary folder and real subscribers over TLS on loopback, and
prints a table. Without choices it runs all scenarios on SQLite with files, and on PostgreSQL with
Redis and with RabbitMQ, each with servers of its own. The exit code is 1 if a promise was broken.
"""

import argparse
import contextlib
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tools.benchmarks.measuring import free_port, machine, table
from tools.chaos.installation import Installation
from tools.chaos.processes import Broken, Family, Missing, family, wait_for
from tools.chaos.scenarios import SCENARIOS, Scenario, World
from tools.chaos.sink import Sink, listening
from tools.chaos.verdicts import Verdict, complaints, has_no_due_delivery, judge

DRAIN_SECONDS = 55.0
QUIET_SECONDS = 2.0  # For posts that come too late, or once too often.
PAIRS = (("sqlite", "files"), ("postgres", "redis"), ("postgres", "rabbitmq"))
COLUMNS = (
    "scenario", "result", "subscribers", "edits", "posts", "most to one", "repeats", "lost",
    "older after newer", "most in flight to one", "done after a newer one",
    "staleness s (median / worst)", "posts to the dead", "slowest save s",
    "took s",
)  # fmt: skip


def main() -> int:
    names = [scenario.name for scenario in SCENARIOS]
    parser = argparse.ArgumentParser(prog="python -m tools.chaos.run", description=__doc__)
    parser.add_argument("--database", choices=["sqlite", "postgres"])
    parser.add_argument("--broker", choices=["files", "redis", "rabbitmq"])
    parser.add_argument("--scenario", choices=names, action="append")
    given = parser.parse_args()
    chosen = [scenario for scenario in SCENARIOS if scenario.name in (given.scenario or names)]
    pairs: Sequence[tuple[str, str]] = PAIRS
    if given.database or given.broker:
        pairs = [(given.database or "sqlite", given.broker or "files")]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    return max([_run_pair(pair, chosen) for pair in pairs])


def _run_pair(pair: tuple[str, str], scenarios: Sequence[Scenario]) -> int:
    folder = Path(tempfile.mkdtemp(prefix="reviews-chaos-"))
    print(f"== {' and '.join(pair)}: state and logs in {folder}", flush=True)
    rows: list[Sequence[str]] = []
    is_good = True
    with contextlib.ExitStack() as stack:
        bundle = folder / "authority.pem"
        sink = stack.enter_context(listening(free_port(), bundle))
        members = stack.enter_context(family(folder))
        try:
            installation = Installation(members, folder / "state", bundle, pair)
            installation.prepare()
        except Missing as what:
            print(f"Not run: {what}")
            return 0
        next_edit = 1
        for scenario in scenarios:
            row, next_edit, kept = _play(scenario, members, installation, sink, next_edit)
            rows.append(row)
            is_good = is_good and kept
    print(table(f"Chaos on {' and '.join(pair)} ({machine()})", COLUMNS, rows))
    if is_good:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if is_good else 1


def _play(
    scenario: Scenario, members: Family, installation: Installation, sink: Sink, next_edit: int
) -> tuple[Sequence[str], int, bool]:
    """The scenario's row, the number of the next edit, and whether all promises were kept."""
    servers = {"database": installation.postgresql, "broker": installation.broker}
    if scenario.needs and servers[scenario.needs] is None:
        print(f"{scenario.name}: skipped, there is no server of that kind.")
        return _blank(scenario, "skipped"), next_edit, True
    started = time.monotonic()
    world = World(installation, sink, sink.crowd(scenario.name, dict(scenario.crowd)), next_edit)
    try:
        installation.start()
        world.edit()  # So that there is something to follow.
        time.sleep(1)
        world.committed.clear()
        installation.subscribe(world.crowd)
        scenario.run(world)
        with contextlib.suppress(Broken):  # The verdict names missing deliveries.
            wait_for(
                "The last delivery", lambda: has_no_due_delivery(world), DRAIN_SECONDS, pause=0.1
            )
        time.sleep(QUIET_SECONDS)
        verdict, fallen = judge(world, installation.digest()), members.fallen()
        installation.ask("forget")
        installation.second_worker.kill()
    except Broken as why:
        print(f"{scenario.name}: FAILED. {why}", flush=True)
        return _blank(scenario, "FAILED"), world.next_edit, False
    broken = [*complaints(verdict, scenario), *(f"{name} ended by itself" for name in fallen)]
    seconds = time.monotonic() - started
    print(f"{scenario.name}: {'; '.join(broken) or 'kept'} ({seconds:.0f} s)", flush=True)
    result = "FAILED" if broken else "kept"
    return _row(scenario, result, world, verdict, seconds), world.next_edit, not broken


def _blank(scenario: Scenario, result: str) -> Sequence[str]:
    return [scenario.name, result, *["-"] * (len(COLUMNS) - 2)]


def _row(
    scenario: Scenario, result: str, world: World, verdict: Verdict, seconds: float
) -> Sequence[str]:
    return [
        scenario.name,
        result,
        str(len(world.crowd)),
        str(len(world.committed)),
        str(verdict.posts),
        str(verdict.most_posts),
        str(verdict.repeats),
        str(verdict.lost),
        str(verdict.older_after_newer),
        str(verdict.most_in_flight),
        str(verdict.crossed),
        f"{verdict.typical_seconds:.2f} / {verdict.staleness_seconds:.2f}",
        ", ".join(map(str, verdict.posts_to_the_dead)) or "-",
        f"{verdict.slowest_save_seconds:.2f}",
        f"{seconds:.0f}",
    ]


if __name__ == "__main__":
    sys.exit(main())
