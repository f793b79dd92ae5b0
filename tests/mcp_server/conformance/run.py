"""Run the conformance suite for both eras and print its results: `make mcp-conformance`.

Exits non-zero if a scenario fails that `expected-failures.yml` does not name, or if one that it
names passes.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from tests.web import web_processes

HERE = Path(__file__).parent
APPLICATION = f"{__package__}.wsgi:application"
REVISIONS = ("2025-11-25", "2026-07-28")
SUITE = HERE / "node_modules" / "@modelcontextprotocol" / "conformance"
PASSED = re.compile(r"^✓ ([\w-]+): ", re.MULTILINE)


def main() -> None:
    install()
    has_failed = False
    rows = []
    with tempfile.TemporaryDirectory(prefix="reviews-conformance-") as folder:
        state = Path(folder)
        with web_processes(state, application=APPLICATION, DEBUG="1") as (port,):
            for revision in REVISIONS:
                done = suite(f"http://127.0.0.1:{port}/mcp", revision, state)
                rows.append(row(revision, done.stdout))
                if done.returncode != 0:
                    has_failed = True
                    sys.stdout.write(done.stdout)
    heading = "| Revision | Scenarios passed | Not passed |\n|---|---|---|"
    sys.stdout.write("\n".join([f"Suite {wanted()}", "", heading, *rows, ""]))
    sys.exit(has_failed)


def install() -> None:
    """Install the packages of `package-lock.json` if they are missing."""
    if shutil.which("npm") is None:
        sys.exit("The conformance suite needs npm, which comes with Node.js: see nodejs.org.")
    installed = HERE / "node_modules" / ".package-lock.json"
    wanted = HERE / "package-lock.json"
    if installed.is_file() and installed.stat().st_mtime >= wanted.stat().st_mtime:
        return
    command = ["npm", "ci", "--no-audit", "--no-fund", "--silent"]
    if subprocess.run(command, cwd=HERE, check=False).returncode != 0:
        sys.exit("npm could not install the conformance suite; it needs the network, once.")


def wanted() -> str:
    """Return the version of the suite in `package.json`."""
    dependencies = json.loads((HERE / "package.json").read_text())["dependencies"]
    found: str = dependencies["@modelcontextprotocol/conformance"]
    return found


def suite(address: str, revision: str, results: Path) -> subprocess.CompletedProcess[str]:
    # Run through npm to use the `node` of package.json.
    command = ["npm", "exec", "--", "conformance", "server", "--url", address]
    command += ["--requirements", revision, "--output-dir", str(results / revision)]
    command += ["--expected-failures", "expected-failures.yml"]
    return subprocess.run(
        command,
        cwd=HERE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )


def row(revision: str, output: str) -> str:
    """Return the number of passed scenarios that a revision requires of servers."""
    required = yaml.safe_load((SUITE / "requirements" / f"{revision}.yaml").read_text())["server"]
    passed = set(PASSED.findall(output.partition("=== SUMMARY ===")[2]))
    failed = [name for name in required if name not in passed]
    count = f"{len(required) - len(failed)} of {len(required)}"
    return f"| {revision} | {count} | {', '.join(failed) or 'none'} |"


if __name__ == "__main__":
    main()
