"""Run benchmarks and write their tables to `tools/benchmarks/README.md`.

`python -m tools.benchmarks.run [documents search imports ...]` runs the named benchmarks, or all.
"""

import argparse
import datetime as dt
import re
import subprocess
import sys
from pathlib import Path

from tools.benchmarks.measuring import ROOT

README = Path(__file__).with_name("README.md")
BENCHMARKS = ("documents", "edits", "search", "tool_calls", "imports", "fanout")
PART = "<!-- {edge} {name} -->"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []])
    for name in parser.parse_args().names or BENCHMARKS:
        print(f"== {name}", flush=True)
        output = subprocess.run(
            [sys.executable, "-m", f"tools.benchmarks.{name}"],
            cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True,
        ).stdout  # fmt: skip
        print(output)
        write(name, output)


def write(name: str, output: str) -> None:
    """Replace the tables of one benchmark in the README."""
    begin, end = (PART.format(edge=edge, name=name) for edge in ("begin", "end"))
    measured = f"{begin}\nMeasured on {dt.datetime.now(dt.UTC):%Y-%m-%d}.\n\n{output}\n{end}"
    text = README.read_text(encoding="utf-8")
    text, found = re.subn(
        f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: measured, text, flags=re.DOTALL
    )
    README.write_text(text if found else f"{text.rstrip()}\n\n{measured}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
