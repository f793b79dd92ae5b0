"""`manage.py migrate`, with each migration and its record in one transaction.

If indexes or constraints are deferred, Django commits the changes of a migration before it records
the migration. A process killed in between leaves a database that `migrate` cannot complete.
"""

from typing import Any

from django.core.management.commands import migrate
from django.db import transaction
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import ProjectState


class AtomicMigrationExecutor(MigrationExecutor):
    """Apply and record each migration in one transaction."""

    def apply_migration(
        self, state: ProjectState, migration: Migration, *args: Any, **options: Any
    ) -> ProjectState:
        if not (migration.atomic and self.connection.features.can_rollback_ddl):
            return super().apply_migration(state, migration, *args, **options)
        # SQLite alters tables without foreign key checks, to be disabled before the transaction.
        with (
            self.connection.constraint_checks_disabled(),
            transaction.atomic(using=self.connection.alias),
        ):
            return super().apply_migration(state, migration, *args, **options)


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        # Django has no setting for the executor.
        setattr(migrate, "MigrationExecutor", AtomicMigrationExecutor)  # noqa: B010  (no stub)
        super().handle(*args, **options)
