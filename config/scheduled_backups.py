"""Daily backups with retention, each verified by restoring it into a scratch database.

One of several workers claims the row of the day.
"""

import datetime as dt
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from config import backup
from config.backup_store import Store, store
from config.models import LONG_AGO, Backup
from core.logging import mask_secrets
from notifications.services import report_failed_backup

logger = logging.getLogger(__name__)

NAME = re.compile(r"reviews-(\d{4}-\d{2}-\d{2})\.backup")
CLAIM = dt.timedelta(hours=1)  # Also the pause before another attempt after a failure.
LATE = dt.timedelta(hours=36)
VERIFY_SECONDS = 30 * 60
CODE = Path(__file__).resolve().parent.parent
SCRATCH = "reviews_backup_check"


def back_up_if_due() -> bool:
    """Make the backup of this day after its hour. Return whether one was made."""
    now = timezone.now()
    if not settings.BACKUP_TO or now.hour < settings.BACKUP_HOUR:
        return False
    row, _created = Backup.objects.get_or_create(day=now.date())
    claimable = Backup.objects.filter(pk=row.pk, made_at=None, claimed_until__lt=now)
    if not claimable.update(claimed_until=now + CLAIM):
        return False
    outcome: dict[str, object]
    try:
        size, reviews = _back_up(f"reviews-{now:%Y-%m-%d}.backup")
        outcome = {"made_at": timezone.now(), "size": size, "reviews": reviews, "error": ""}
    except Exception as error:  # noqa: BLE001  (stores raise their own errors; all are reported)
        said = mask_secrets(" ".join(str(error).split()))[:500] or type(error).__name__
        logger.error("The backup failed: %s", said)
        outcome = {"error": said}
        report_failed_backup(said, row.day)
    Backup.objects.filter(pk=row.pk).update(**outcome)
    return "made_at" in outcome


def state() -> str:
    """Return `ok`, `failed` or `late`, or "" if no backups are scheduled."""
    if not settings.BACKUP_TO:
        return ""
    if newest_error():
        return "failed"
    newest = Backup.objects.exclude(made_at=None).order_by("-day").first()
    # A new installation is not late before its first backup.
    is_late = newest is not None and timezone.now() - (newest.made_at or LONG_AGO) > LATE
    return "late" if is_late else "ok"


def newest_error() -> str:
    """Return the error of the newest attempt, or ""."""
    newest = Backup.objects.exclude(made_at=None, error="").order_by("-day").first()
    return newest.error if newest else ""


def _back_up(name: str) -> tuple[int, int]:
    """Write, store and verify a backup, and delete expired ones.

    Returns its size and the number of its reviews.
    """
    target = store()
    with TemporaryDirectory(dir=settings.STATE_DIR) as folder:
        made, stored = Path(folder) / "made", Path(folder) / "stored"
        backup.write(made)
        size = made.stat().st_size
        target.put(name, made)
        made.unlink()
        target.get(name, stored)
        reviews = verify(stored)
    for expired in _expired(target):
        target.delete(expired)
    logger.info(
        "Backup %s holds %d reviews (%.1f MB); restored for a check", name, reviews, size / 1e6
    )
    return size, reviews


def verify(file: Path) -> int:
    """Restore a backup into a scratch database. Return the number of its reviews."""
    with TemporaryDirectory(dir=settings.STATE_DIR) as folder, _scratch(Path(folder)) as url:
        done = run_command("restore", str(file), DATABASE_URL=url, STATE_DIR=folder, REDIS_URL="")
    match = re.search(r"Restored (\d+) reviews", done.stdout)
    if done.returncode or not match:
        said = " ".join(done.stderr.split())[-400:]
        raise backup.BackupRefused(_("The backup cannot be restored: %(said)s") % {"said": said})
    return int(match[1])


def run_command(*command: str, **values: str) -> subprocess.CompletedProcess[str]:
    """Run a management command in a subprocess with other environment variables."""
    files = {f"{name}_FILE" for name in (*values, "SECRET_KEY", "BASE_URL")}
    environment = {name: value for name, value in os.environ.items() if name not in files}
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR"}
    environment |= {"SECRET_KEY": settings.SECRET_KEY, "BASE_URL": settings.BASE_URL, **values}
    return subprocess.run(  # noqa: S603  (our own commands)
        [sys.executable, "-m", "django", *command],
        cwd=CODE,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=VERIFY_SECONDS,
    )


@contextmanager
def _scratch(folder: Path) -> Iterator[str]:
    """Create an empty database, and drop it after the block. Yields its address."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{folder / 'scratch.sqlite3'}"
        return
    parts = {key: str(value or "") for key, value in connection.settings_dict.items()}
    user = ":".join(quote(parts[key], safe="") for key in ("USER", "PASSWORD") if parts[key])
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {SCRATCH}")
        cursor.execute(f"CREATE DATABASE {SCRATCH}")
    try:
        host = f"{parts['HOST'] or 'localhost'}:{parts['PORT'] or 5432}"
        yield f"postgres://{user}@{host}/{SCRATCH}"
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {SCRATCH} WITH (FORCE)")


def _expired(target: Store) -> list[str]:
    """Names of backups that the retention does not keep. Other files are ignored."""
    days = {
        dt.date.fromisoformat(match[1]): name
        for name in target.names()
        if (match := NAME.fullmatch(name))
    }
    kept = kept_days(days, settings.BACKUP_KEEP_DAYS, settings.BACKUP_KEEP_WEEKS)
    return [name for day, name in days.items() if day not in kept]


def kept_days(days: Iterable[dt.date], daily: int, weekly: int) -> set[dt.date]:
    """Return the newest days, and the newest day of each of the newest weeks."""
    newest = sorted(days, reverse=True)
    weeks: dict[tuple[int, int], dt.date] = {}
    for day in newest:
        weeks.setdefault(day.isocalendar()[:2], day)
    return {*newest[:daily], *list(weeks.values())[:weekly]}
