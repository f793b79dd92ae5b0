"""`migrate`, with each migration and its record in one transaction.

Django commits a migration's changes before it records the migration, where indexes or constraints
were deferred. A process that is killed between both leaves a database that no `migrate` completes.
"""

from typing import Any

from django.core.management.commands import migrate
from django.db import transaction
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import ProjectState


class WholeMigrationExecutor(MigrationExecutor):
    """Applies and records a migration whole or not at all."""

    def apply_migration(
        self, state: ProjectState, migration: Migration, *args: Any, **options: Any
    ) -> ProjectState:
        if not (migration.atomic and self.connection.features.can_rollback_ddl):
            return super().apply_migration(state, migration, *args, **options)
        # SQLite alters tables without checks of foreign keys, which end outside of transactions.
        with (
            self.connection.constraint_checks_disabled(),
            transaction.atomic(using=self.connection.alias),
        ):
            return super().apply_migration(state, migration, *args, **options)


class Command(migrate.Command):
    """Django's command, which offers no setting for its executor."""

    def handle(self, *args: Any, **options: Any) -> None:
        setattr(migrate, "MigrationExecutor", WholeMigrationExecutor)  # noqa: B010  (no stub has it)
        super().handle(*args, **options)
