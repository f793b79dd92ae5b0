"""One change to many subscribers: CPU of each delivery, 10,000 of them, and some that hang.

`python -m tools.benchmarks.fanout` prints tables. Goals: a delivery with its rows at 1.3 times the
same threads without them or less, and 3 times raw sockets; 10,000 subscribers in 25 seconds of one
core; with 5 % of callbacks that never answer, the others done in 1.5 times the time. The sink runs
on the other core.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import certifi
import trustme

from tools.benchmarks.fanout_steps import BASE_URL, BODY, HOST, HOSTS, THREADS, Figures
from tools.benchmarks.measuring import (
    LOAD_CORE,
    ROOT,
    installation,
    machine,
    require,
    sinking,
    table,
    verdict,
)


def measure(each: int, subscribers: int) -> str:
    require("taskset")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        authority = trustme.CA()
        bundle, certificate = folder / "bundle.pem", folder / "sink.pem"
        bundle.write_bytes(Path(certifi.where()).read_bytes() + authority.cert_pem.bytes())
        issued = authority.issue_cert(HOST, *HOSTS)
        issued.private_key_and_cert_chain_pem.write_to_path(certificate)
        env = installation(
            folder, BASE_URL=BASE_URL, HUB_ALLOW_NETS="127.0.0.0/8", HUB_CA_BUNDLE=str(bundle)
        )

        def run(step: str, count: int) -> Figures:
            subprocess.run(
                [sys.executable, "manage.py", "migrate", "-v0"],
                cwd=ROOT, env=env, check=True, capture_output=True,
            )  # fmt: skip
            figures = _step(env, step, port, str(bundle), count)
            for file in folder.glob("*.sqlite3*"):
                file.unlink()
            return figures

        with sinking("tools.benchmarks.fanout_steps", certificate) as port:
            ms = run("cost", each)
            ten_thousand = run("many", subscribers)
            hangs = run("hanging", each)
    assert ten_thousand["count"] == subscribers, ten_thousand
    return "\n".join(
        [
            _cost_table(ms, each),
            _many_table(ten_thousand, subscribers),
            _hanging_table(hangs, each),
        ]
    )


def _step(env: Mapping[str, str], step: str, port: int, bundle: str, count: int) -> Figures:
    command = ["taskset", "-c", LOAD_CORE, sys.executable, "-m", "tools.benchmarks.fanout_steps"]
    output = subprocess.run(
        [*command, step, str(port), bundle, str(count)],
        cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True,
    ).stdout  # fmt: skip
    figures: Figures = json.loads(output)
    return figures


def _cost_table(ms: Figures, each: int) -> str:
    def row(name: str, way: str) -> list[str]:
        ratios = [f"{ms[way] / ms[base]:.2f}" for base in ("raw", "client")]
        return [name, f"{ms[way]:.2f}", *ratios]

    against_pool, against_raw = ms["rows"] / ms["client"], ms["rows"] / ms["raw"]
    return (
        table(
            f"{each:,} deliveries of {len(BODY):,} bytes, {THREADS} threads, a new TLS connection"
            f" each (SQLite; {machine()})",
            ["way", "CPU ms", "against raw", "against the client alone"],
            [
                row("raw sockets", "raw"),
                row("the hub's client alone", "client"),
                row("rows claimed, delivered and recorded", "rows"),
                row("the same, each with a signature", "signed"),
            ],
        )
        + f"\nAgainst the client alone {against_pool:.2f}: "
        + verdict(against_pool, 1.3, at_least=False)
        + f"; against raw sockets {against_raw:.2f}: "
        + verdict(against_raw, 3, at_least=False)
        + ".\n"
    )


def _many_table(spent: Figures, subscribers: int) -> str:
    return (
        table(
            f"One change to {subscribers:,} subscribers in one process",
            ["CPU s", "s", "deliveries / s"],
            [
                [
                    f"{spent['cpu']:.1f}",
                    f"{spent['seconds']:.1f}",
                    f"{subscribers / spent['seconds']:.0f}",
                ]
            ],
        )
        + f"\nCPU {spent['cpu']:.1f} s: {verdict(spent['cpu'], 25, at_least=False)}.\n"
    )


def _hanging_table(hangs: Figures, each: int) -> str:
    first, later = hangs["first"] / hangs["alone"], hangs["later"] / hangs["alone"]
    return (
        table(
            f"One change to {each:,} subscribers, of whom 5 % never answer",
            ["callbacks", "s until the others have it", "against none that hang"],
            [
                ["none hangs", f"{hangs['alone']:.1f}", "1"],
                ["5 % begin to hang", f"{hangs['first']:.1f}", f"{first:.2f}"],
                ["5 % hang as before (slow queue)", f"{hangs['later']:.1f}", f"{later:.2f}"],
            ],
        )
        + f"\nWhen they begin {first:.2f}: {verdict(first, 1.5, at_least=False)}"
        + f"; from then on {later:.2f}: {verdict(later, 1.5, at_least=False)}.\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=1_000, metavar="N")
    parser.add_argument("--subscribers", type=int, default=10_000, metavar="N")
    given = parser.parse_args()
    print(measure(given.each, given.subscribers))


if __name__ == "__main__":
    main()
