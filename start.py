"""Run the service from a fresh clone, with nothing but Python.

    python3 start.py [--port N] [--no-demo] [--no-worker]   install the packages, run the service
    python3 start.py install [--dev]                        install the packages (with tools)
    python3 start.py test [pytest arguments]                install packages and tools, run tests

The packages are installed into `.venv` beside this file, and again only when the pinned
requirements change. Further starts need no network.
"""

from __future__ import annotations  # Lets an older Python run as far as the message about it.

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
OLDEST_PYTHON = (3, 11)
NEWEST_PYTHON = (3, 14)  # The newest version for which all packages have wheels.

SERVICE = "requirements.txt"
TOOLS = "requirements-dev.txt"  # Includes all packages of the service.

# Variables of other projects that would break this one.
REMOVED_VARIABLES = ("DJANGO_SETTINGS_MODULE", "PYTHONSAFEPATH")


def main(arguments: list[str]) -> NoReturn:
    if sys.version_info < OLDEST_PYTHON:
        version = sys.version.split()[0]
        fail(f"Python 3.11 or newer is needed; this is {version}. Try: python3.11 start.py")
    command, rest = (arguments[0], arguments[1:]) if arguments else ("up", [])
    if command in {"-h", "--help", "help"}:
        print(__doc__)
        sys.exit(0)
    if command == "install":
        install(TOOLS if "--dev" in rest else SERVICE)
        sys.exit(0)
    if command == "test":
        install(TOOLS)
        run([str(PYTHON), "-m", "pytest", *rest])
    install(SERVICE)
    run([str(PYTHON), "manage.py", "up", *(rest if command == "up" else arguments)])


def install(requirements: str) -> None:
    """Install at least `requirements` into `.venv`, in one process at a time."""
    with Path(__file__).open("rb") as lock_file:
        fcntl.flock(lock_file, fcntl.LOCK_EX)
        _install(requirements)


def _install(requirements: str) -> None:
    wanted = [fingerprint(name) for name in (SERVICE, TOOLS)]
    wanted = wanted[1:] if requirements == TOOLS else wanted
    stamp = VENV / ".installed"
    # Run the interpreter: it breaks when the Python of the system is upgraded or removed.
    is_sound = works(PYTHON, "pip")
    if is_sound and stamp.is_file() and stamp.read_text(encoding="utf-8") in wanted:
        return
    if not is_sound:
        make_venv()
    stamp.unlink(missing_ok=True)
    say(f"Installing {requirements} into .venv (once; a minute or two)")
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-user"]  # Overrides PIP_USER, which would install outside .venv.
    done = subprocess.run([*pip, "--require-hashes", "-r", str(ROOT / requirements)], check=False)
    if done.returncode:
        fail(f"The packages could not be installed; pip says why above. {advice()}")
    stamp.write_text(fingerprint(requirements), encoding="utf-8")


def advice() -> str:
    if sys.version_info[:2] > NEWEST_PYTHON:
        return (
            "Some have no wheels for so new a Python and need compilers of C and Rust. Try: "
            "python3.14 start.py"
        )
    return (
        "Without a network, point PIP_INDEX_URL or PIP_FIND_LINKS at a place that has them, then "
        "start again."
    )


def fingerprint(requirements: str) -> str:
    text = (ROOT / requirements).read_bytes()
    return f"{requirements} {hashlib.sha256(text).hexdigest()}\n"


def works(python: Path, module: str) -> bool:
    """Whether the interpreter runs and has `module`."""
    find = f"import importlib.util as u, sys; sys.exit(u.find_spec({module!r}) is None)"
    try:
        done = subprocess.run([str(python), "-c", find], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def make_venv() -> None:
    say("Making .venv")
    if VENV.is_symlink() or VENV.is_file():
        fail(f"{VENV} is not a folder. Remove it, then start again.")
    shutil.rmtree(VENV, ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-m", "venv", str(VENV)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode or not works(PYTHON, "pip"):
        print(done.stdout.strip(), file=sys.stderr)
        fail(
            ".venv could not be made; Python says why above. If venv or pip is missing, on Debian "
            "and Ubuntu: apt install python3-venv. Then start again."
        )


def run(command: list[str]) -> NoReturn:
    """Replace this process by `command`, so that it gets signals and sets the exit code."""
    os.chdir(ROOT)
    for name in REMOVED_VARIABLES:
        os.environ.pop(name, None)
    # Otherwise macOS kills processes that are forked after libraries were loaded.
    os.environ["OBJC_DISABLE_INITIALIZE_FORK_SAFETY"] = "YES"
    sys.stdout.flush()
    os.execv(command[0], command)  # noqa: S606  (no shell is wanted)


def say(text: str) -> None:
    print(text, flush=True)


def fail(text: str) -> NoReturn:
    print(text, file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
