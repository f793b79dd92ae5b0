"""Databases at each earlier migration, with rows of that state."""

import pytest
from django.db import connection

from tests.deploy.interruptions import empty_database

pytestmark = [pytest.mark.scale, pytest.mark.django_db]

# Add a review and a subscription at each state with the columns it requires, so that all later
# migrations apply to each row.
CLIMB = """
import datetime as dt
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

SAMPLES = {models.DateField: dt.date(2026, 3, 14), models.DateTimeField: timezone.now()}
ROWS = {"reviews": "Review", "websub": "Subscription"}

def add_row(model, number):
    values = {}
    for field in model._meta.concrete_fields:
        if field.primary_key or field.has_default() or field.null or field.has_db_default():
            continue
        values[field.attname] = SAMPLES.get(type(field)) or (
            "" if field.blank else 5 if isinstance(field, models.IntegerField) else f"row-{number}"
        )
    named = {field.name for field in model._meta.concrete_fields}
    if "ulid" in named:
        values["ulid"] = f"01J0000000000000000000{number:04}"
    if "fragment" in named:
        values.setdefault("fragment", "{}")
    model(**values).save()

executor = MigrationExecutor(connection)
plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
result = dict.fromkeys(ROWS, 0)
for number, (migration, _) in enumerate(plan):
    executor = MigrationExecutor(connection)
    state = executor.migrate([(migration.app_label, migration.name)])
    if migration.app_label in ROWS:
        add_row(state.apps.get_model(migration.app_label, ROWS[migration.app_label]), number)
        result[migration.app_label] += 1
"""
CARRIED = """
from reviews.models import Review
from websub.models import Subscription
call_command("migrate", verbosity=0)
result = {"reviews": Review.objects.count(), "websub": Subscription.objects.count()}
"""


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_rows_of_each_state_are_migrated_to_newest(database, tmp_path):
    is_sqlite = database == "sqlite"
    if not is_sqlite and connection.vendor != "postgresql":
        pytest.skip("DATABASE_URL names no PostgreSQL")
    with empty_database(tmp_path, None if is_sqlite else connection.settings_dict) as place:
        added = place.result(CLIMB)

        assert place.result(CARRIED) == added
    assert added["reviews"] >= 4
