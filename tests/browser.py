"""Control a headless Chromium through the DevTools protocol.

Commands and answers are JSON messages that end with a zero byte, sent over two pipes.
"""

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SECONDS = 60.0  # Chromium may start this slowly on a busy machine.
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run"
    " --disable-background-networking --disable-component-update --disable-sync"
    " --disable-extensions --no-default-browser-check --remote-debugging-pipe"
).split()


@contextmanager
def browser(profile: Path) -> Iterator["Browser"]:
    """Start Chromium with an empty profile. Skip the test if Chromium is not installed."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("No Chromium is installed; `apt-get install chromium` has one.")
    to_browser, commands = os.pipe()
    answers, from_browser = os.pipe()
    # Chromium reads commands from descriptor 3 and writes answers to 4.
    script = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
    flags = [*FLAGS, f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(
        ["/bin/bash", "-c", script, "sh", program, *flags],
        pass_fds=(to_browser, from_browser),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        yield Browser(commands, answers)
    finally:
        os.close(commands)  # Chromium exits when its pipe closes.
        os.close(answers)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class NavigatedError(Exception):
    """The page navigated while an expression was evaluated."""


class Browser:
    """One page of a browser."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._buffer = b""
        self._number = 0
        self._session = ""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        self.send("Page.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        answer = self._wait(lambda event: event.get("id") == self._number)
        if "navigated" in answer.get("error", {}).get("message", ""):
            raise NavigatedError
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def open(self, url: str, width: int) -> None:
        """Load a page in a window that is `width` pixels wide."""
        self.resize(width)
        assert "errorText" not in self.send("Page.navigate", url=url)
        self._wait(lambda event: event.get("method") == "Page.loadEventFired")

    def resize(self, width: int) -> None:
        """Set the width of the window in pixels."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )

    def ask(self, expression: str) -> Any:
        """Evaluate a JavaScript expression on the page and return its value. Await a promise."""
        result = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def _wait(self, is_it: Any) -> dict[str, Any]:
        deadline = time.monotonic() + SECONDS
        while True:
            while b"\0" in self._buffer:
                line, self._buffer = self._buffer.split(b"\0", 1)
                event: dict[str, Any] = json.loads(line)
                if is_it(event):
                    return event
            left = max(0.0, deadline - time.monotonic())
            assert select.select([self._answers], [], [], left)[0], "Chromium did not answer."
            read = os.read(self._answers, 1 << 16)
            assert read, "Chromium has ended."
            self._buffer += read
