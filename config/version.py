"""The version of the code that runs; its commit tells apart what lies between two releases."""

import os
import subprocess
from functools import cache

from config.env import BASE_DIR
from reviews import VERSION


@cache
def build() -> str:
    """Release and commit: of the checkout, or of the image by its variable `COMMIT`."""
    commit = os.environ.get("COMMIT", "").strip() or _commit_of_checkout()
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
