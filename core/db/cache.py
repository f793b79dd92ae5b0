"""Django's database cache with an atomic `incr` and an unlogged table."""

import base64
import pickle
from typing import Any

from django.conf import settings
from django.core.cache.backends.db import DatabaseCache
from django.core.management import call_command
from django.db import connections, router
from django.db.models import Model
from django.utils import timezone


class AtomicDatabaseCache(DatabaseCache):
    """Database cache with an atomic `incr`.

    Django's own `incr` loses concurrent increments and resets the timeout.
    """

    _table: str

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add `delta` to the number of `key`. Raises `ValueError` if the key is missing."""
        key = self.make_and_validate_key(key, version=version)
        connection = connections[router.db_for_write(self.cache_model_class)]
        table = connection.ops.quote_name(self._table)
        now = connection.ops.adapt_datetimefield_value(timezone.now().replace(microsecond=0))
        with connection.cursor() as cursor:
            while True:  # Until no other process changes the row between the two statements.
                cursor.execute(
                    f"SELECT value FROM {table} WHERE cache_key = %s AND expires >= %s",  # noqa: S608
                    [key, now],
                )
                row = cursor.fetchone()
                if row is None:
                    raise ValueError(f"Key '{key}' not found")
                value: int = pickle.loads(base64.b64decode(row[0])) + delta  # noqa: S301  Our own.
                encoded = base64.b64encode(pickle.dumps(value, self.pickle_protocol)).decode()
                cursor.execute(
                    f"UPDATE {table} SET value = %s WHERE cache_key = %s AND value = %s",  # noqa: S608
                    [encoded, key, row[0]],
                )
                if cursor.rowcount:
                    return value


def create_cache_table(**kwargs: Any) -> None:
    """Create the table of the shared cache, as a part of `migrate`."""
    database = "cache" if "cache" in settings.DATABASES else "default"
    call_command("createcachetable", database=database, verbosity=0)
    if connections[database].vendor == "postgresql":
        _set_unlogged(database)


def _set_unlogged(database: str) -> None:
    """Exclude the table from PostgreSQL's log, so that no increment waits for the disk.

    See decision 0023.
    """
    backend = settings.CACHES["default"]
    if backend["BACKEND"] != f"{__name__}.AtomicDatabaseCache":
        return
    table = connections[database].ops.quote_name(str(backend["LOCATION"]))
    with connections[database].cursor() as cursor:
        cursor.execute("SELECT relpersistence FROM pg_class WHERE oid = %s::regclass", [table])
        if cursor.fetchone() == ("p",):
            cursor.execute(f"ALTER TABLE {table} SET UNLOGGED")


# --- The database of the cache --------------------------------------------------------------------


CACHE_APP = "django_cache"  # Django's app label of cache tables.


class CacheRouter:
    """Router that keeps the cache in the database named `cache`, if there is one."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str | None:
        has_own = model._meta.app_label == CACHE_APP and "cache" in settings.DATABASES
        return "cache" if has_own else None

    db_for_write = db_for_read

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        return app_label == CACHE_APP if db == "cache" else None
