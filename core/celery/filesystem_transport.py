"""The broker of an installation without a broker: a folder of messages under `STATE_DIR`.

It is Kombu's file-system transport with three differences. A message appears whole or not at all.
The same message is stored once, so that the folder stays small even without a worker. And one that
cannot be read is removed.
"""

import hashlib
import json
import logging
import os
import uuid
from pathlib import Path
from queue import Empty
from typing import Any, ClassVar

from kombu.transport import filesystem

logger = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    def _put(  # type: ignore[override]  # As Kombu's own stubs say of their method.
        self, queue: str, payload: dict[str, Any], **kwargs: Any
    ) -> None:
        """Store `payload`, in place of one that says the same and was not taken yet."""
        folder = Path(self.data_folder_out)
        new = folder / f".{uuid.uuid4().hex}"
        try:
            new.write_text(json.dumps(payload), encoding="utf-8")
            new.replace(folder / f"{_meaning(payload)}.{queue}.msg")
        except OSError:
            new.unlink(missing_ok=True)  # A full disk is not filled with beginnings.
            raise

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        """Take the oldest message; of several takers one gets it."""
        for path in _oldest_first(Path(self.data_folder_in), f".{queue}.msg"):
            try:
                text = _bytes_of(path)
                # If the same message was stored again since it was read, that one goes too: its
                # task has not started yet and will see whatever it was sent for.
                path.unlink()
            except FileNotFoundError:
                continue
            try:
                message: dict[str, Any] = json.loads(text)
            except ValueError:
                # So may be one after a power cut: the file system has the name and not the bytes.
                logger.warning(
                    "%s cannot be read and is removed; the next sweep does its work.", path
                )
                continue
            return message
        raise Empty


class Transport(filesystem.Transport):
    Channel = Channel
    # A folder has no host; Kombu would warn that the URL names none.
    default_connection_params: ClassVar[dict[str, Any]] = {}


def _bytes_of(path: Path) -> bytes:
    """Content of a message; empty for one that another user, like root, stored for itself."""
    try:
        return path.read_bytes()
    except PermissionError:
        return b""


def _meaning(payload: dict[str, Any]) -> str:
    """Task, arguments and due time; messages that share them are duplicates."""
    headers = payload.get("headers", {})
    said = [headers.get("task"), headers.get("eta"), payload.get("body")]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _oldest_first(folder: Path, suffix: str) -> list[Path]:
    found: list[tuple[int, str]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(suffix):
                try:
                    found.append((entry.stat().st_mtime_ns, entry.path))
                except FileNotFoundError:
                    continue
    return [Path(path) for _, path in sorted(found)]
