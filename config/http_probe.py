"""Health check for containers: `http_probe.py URL [name ...]`.

The exit code is 0 if the URL answers 200 and each name in its JSON is "ok". Otherwise it is 1, and
a line says why. The image has no curl, and a management command would load Django each time.
"""

import json
import sys
import urllib.error
import urllib.request

TIMEOUT_SECONDS = 4.0


def main(url: str, *names: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310  (our own)
            health = json.load(response)
    except (OSError, ValueError) as error:
        return _unhealthy(f"{url}: {_why(error)}")
    for name in names:
        if health.get(name) != "ok":
            return _unhealthy(f"{url}: {name} is {health.get(name, 'missing')}")
    return 0


def _why(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return error.read(1_000).decode(errors="replace") or str(error)
    return str(error)


def _unhealthy(why: str) -> int:
    sys.stdout.write(f"{why}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
