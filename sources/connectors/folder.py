"""Import files from a watched folder, then move them to `done` or `failed`.

The folder is polled, since network shares and sync clients send no events. A file is complete when
its size and time have not changed between two polls.
"""

import hashlib
import logging
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings as project
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy

from sources.client import SourceFailure
from sources.connectors.protocol import Connector, Fetched, Poll, Unchanged

logger = logging.getLogger(__name__)

STILL_SECONDS = 5.0
DONE, FAILED = "done", "failed"
MAX_LISTED = 1_000
_PARTIAL = (".part", ".partial", ".tmp", ".temp", ".crdownload", ".download", "~")


def fetch(poll: Poll) -> Fetched | Unchanged:
    """Return the oldest complete file."""
    known: Mapping[str, Any] = poll.state.get("files", {})
    now = timezone.now().timestamp()
    seen: dict[str, Any] = {}
    still: list[tuple[int, str]] = []
    for name, about in _files():
        signature = [about.st_size, about.st_mtime_ns]
        last = known.get(name)
        since = last["since"] if last and last["signature"] == signature else now
        seen[name] = {"signature": signature, "since": since}
        if now - since >= STILL_SECONDS:
            still.append((about.st_mtime_ns, name))
    state = {"files": seen}
    for _, name in sorted(still):
        if seen[name]["signature"][0] > project.IMPORT_MAX_BYTES:
            _move(name, _too_large())
            continue
        content = _read(project.INBOX_DIR / name)
        return Fetched(content, file_name=name, state=state, is_always_new=True)
    return Unchanged(state)


def _too_large() -> str:
    return (
        f"The file is larger than {project.IMPORT_MAX_BYTES:,} bytes. Divide it, or import it with "
        "`manage.py import_reviews`."
    )


def _files() -> Iterator[tuple[str, os.stat_result]]:
    """Regular files of the inbox, without temporary ones."""
    inbox: Path = project.INBOX_DIR
    try:
        inbox.mkdir(parents=True, exist_ok=True)
        with os.scandir(inbox) as entries:
            for entry in list(entries)[:MAX_LISTED]:
                is_hidden = entry.name.startswith((".", "~")) or entry.name.endswith(_PARTIAL)
                about = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(about.st_mode) and not is_hidden:
                    yield _storable_name(inbox, entry.name), about
    except OSError as error:
        raise SourceFailure(
            f"The folder {inbox} cannot be read ({error.strerror}). Give this user access to "
            "it, or set INBOX_DIR to another one."
        ) from None


def _storable_name(inbox: Path, name: str) -> str:
    """Return the name of the file. Rename the file if its name is not UTF-8."""
    storable = os.fsencode(name).decode(errors="replace")
    if storable != name:
        (inbox / name).rename(inbox / storable)
    return storable


def _read(path: Path) -> bytes:
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            content = file.read(project.IMPORT_MAX_BYTES + 1)
    except OSError as error:
        raise SourceFailure(
            f"{path.name} cannot be read ({error.strerror}). Give this user access to the file."
        ) from None
    if len(content) > project.IMPORT_MAX_BYTES:
        raise SourceFailure(_too_large())
    return content


def finish(name: str, sha256: str, error: str) -> None:
    """Move an imported file out of the inbox, unless it was replaced meanwhile."""
    with suppress(SourceFailure):  # The file was moved or deleted meanwhile.
        if hashlib.sha256(_read(project.INBOX_DIR / name)).hexdigest() == sha256:
            _move(name, error)


def _move(name: str, error: str) -> None:
    """Move a file to `done`, or to `failed` with the error in a text file beside it."""
    folder: Path = project.INBOX_DIR / (FAILED if error else DONE)
    try:
        folder.mkdir(exist_ok=True)
        target = _free_name(folder, name)
        (project.INBOX_DIR / name).rename(target)
        if error:
            (folder / f"{target.name}.txt").write_text(f"{error}\n", encoding="utf-8")
    except OSError as problem:
        logger.error("%s cannot be moved to %s: %s", name, folder, problem.strerror)


def _free_name(folder: Path, name: str) -> Path:
    if not (folder / name).exists():
        return folder / name
    return folder / f"{timezone.now():%Y%m%d-%H%M%S-%f} {name}"


def _help() -> str:
    return (
        f"Files that are put into {project.INBOX_DIR.absolute()} on this server are imported, and "
        "moved to “done” or “failed” there."
    )


CONNECTOR = Connector(
    name="folder",
    label=gettext_lazy("Folder on this server"),
    terms=gettext_lazy("Use files that are yours, or that you may publish."),
    help=lazy(_help, str)(),
    interval_seconds=5,
    fetch=fetch,
    finish=finish,
)
