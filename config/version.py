"""Version and commit of the running code."""

import subprocess
from functools import cache
from pathlib import Path

from config.env import BASE_DIR
from reviews import VERSION


@cache
def build() -> str:
    """Return release and commit, from a file in packages and images or from the checkout."""
    written = Path(__file__).with_name("commit.txt")
    commit = written.read_text().strip() if written.exists() else _commit_of_checkout()
    return f"version {VERSION}, commit {commit or 'unknown'}"


def _commit_of_checkout() -> str:
    if not (BASE_DIR / ".git").exists():
        return ""
    command = ["git", "-C", str(BASE_DIR), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        return ""
    return done.stdout.strip()
