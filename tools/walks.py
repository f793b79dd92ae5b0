"""Count our code that runs on each walk through the service.

`python -m tools.walks` prints a table.

Each walk runs once to warm up, then under a tracer, in threads and in the process that reads files
as well. The database is a temporary one with a small demo.
"""

import contextlib
import json
import os
import runpy
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from tools.benchmarks.measuring import ROOT, free_port, installation

OTHERS = ("tests/", "tools/", ".venv/")
MIGRATION = "/migrations/"
REPORT = "WALK_REPORT"  # Names the file to which a traced child writes.
Lines = set[tuple[str, int]]


@contextlib.contextmanager
def traced(lines: Lines) -> Iterator[None]:
    """Collect each line of ours that runs in this process, whatever its thread."""

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        name = frame.f_code.co_filename.removeprefix(f"{ROOT}/")
        if name.startswith(("/", "<", *OTHERS)) or MIGRATION in name:
            return None
        lines.add((name, frame.f_lineno))
        return trace

    threading.settrace(trace)
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]


class TracedPopen(subprocess.Popen[Any]):
    """Run `python -m MODULE` under the tracer, while a report is wanted."""

    def __init__(self, command: Any, *rest: Any, env: Any = None, **options: Any) -> None:
        """Put this module in front of the other."""
        if "-m" in command and REPORT in os.environ:
            at = command.index("-m") + 1
            command, env = [*command[:at], "tools.walks", *command[at:]], dict(os.environ)
        super().__init__(command, *rest, env=env, **options)


def run_module(name: str) -> None:
    """Run a module as `python -m` does, and append its lines to the report."""
    lines: Lines = set()
    os._exit = sys.exit  # type: ignore[assignment]  # Else nothing would be reported.
    try:
        with traced(lines):
            runpy.run_module(name, run_name="__main__", alter_sys=True)
    finally:
        with Path(os.environ[REPORT]).open("a", encoding="utf-8") as report:
            report.write(json.dumps(list(lines)) + "\n")


def count(walk: Callable[[], object], report: Path) -> tuple[Lines, Lines]:
    """Lines of this process and of its children, on the second walk."""
    walk()
    lines: Lines = set()
    report.write_text("")
    os.environ[REPORT] = str(report)
    with traced(lines):
        walk()
    del os.environ[REPORT]
    return lines, {tuple(line) for text in report.open() for line in json.loads(text)}


def main(state: Path) -> None:
    bundle = state / "authority.pem"
    os.environ |= {"WEBSUB_ALLOWED_NETWORKS": "127.0.0.0/8", "WEBSUB_CA_BUNDLE": str(bundle)}
    os.environ |= installation(state, BASE_URL="http://localhost", RATE_LIMIT_MCP="")
    subprocess.Popen = TracedPopen  # type: ignore[assignment,misc]
    import django

    django.setup()
    from tools.chaos.sink import listening
    from tools.walk_steps import prepare

    with listening(free_port(), bundle) as sink:
        print("| walk | files | files, reader included | lines that run | lines of all files |")
        print("|---|---|---|---|---|")
        for name, walk in prepare(state, sink).items():
            own, read = count(walk, state / "report")
            files, all_files = {file for file, _ in own}, {file for file, _ in own | read}
            size = sum(len((ROOT / file).read_text("utf-8").splitlines()) for file in all_files)
            cells = len(files), len(all_files), len(own | read), size
            print(f"| {name} |", " | ".join(f"{cell:,}" for cell in cells), "|", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] and REPORT in os.environ:
        sys.argv = sys.argv[1:]
        run_module(sys.argv[0])
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(Path(folder))
