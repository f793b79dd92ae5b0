"""Migrations keep the previous version working, since web processes restart one by one.

Meanwhile code of the previous version writes to tables of the next. So a migration may only add
(expand). Unused things are removed in a later release (contract) and listed below.
"""

import ast
from pathlib import Path

from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader

from config.env import BASE_DIR

# (app, migration): why it may remove something, and since which release it is unused.
CONTRACTIONS = {
    ("reviews", "0023_confirmed_shapes"): "no release has had mappings, answers and counted tries",
    ("insights", "0003_no_texts_of_a_language_model"): "no release has had these texts",
}

REFUSED = {
    migrations.RemoveField: "the version before still reads it",
    migrations.DeleteModel: "the version before still reads it",
    migrations.RenameField: "the version before knows the former name",
    migrations.RenameModel: "the version before knows the former name",
    migrations.AlterModelTable: "the version before knows the former name",
    migrations.RunSQL: "nobody can tell; write it as RunPython, each database in its own words",
}


def breaking_change(operation):
    """Describe the change that breaks the previous version, or return ""."""
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        return next(filter(None, map(breaking_change, operation.database_operations)), "")
    why = REFUSED.get(type(operation), "")
    if isinstance(operation, migrations.AddField) and not is_filled(operation.field):
        why = "the version before leaves it out; give it db_default, or let it be null"
    return why and f"{operation.describe()}: {why}"


def is_filled(field):
    return field.null or field.has_db_default() or isinstance(field, models.ManyToManyField)


def ours():
    names = {app.label for app in apps.get_app_configs() if Path(app.path).parent == BASE_DIR}
    loader = MigrationLoader(None)
    # Squashed migrations run on empty databases only.
    return {
        key: found
        for key, found in loader.disk_migrations.items()
        if key[0] in names and not found.replaces
    }


def test_migrations_keep_what_previous_version_uses():
    found = {
        key: [why for operation in migration.operations if (why := breaking_change(operation))]
        for key, migration in ours().items()
    }

    assert {key: whys for key, whys in found.items() if whys and key not in CONTRACTIONS} == {}


def test_migrations_import_no_changing_code():
    packages = {folder.parent.name for folder in BASE_DIR.glob("*/__init__.py")}
    imports = [
        (file.name, name)
        for file in BASE_DIR.glob("*/migrations/*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        for name in imported(node)
    ]

    assert ("0001_groups.py", "django.db") in imports
    refused = {"", "importlib", *packages}  # An empty name marks a relative import.
    assert [each for each in imports if each[1].partition(".")[0] in refused] == []


def imported(node):
    """Return the names of the modules that a node imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return ["." * node.level + (node.module or "")]
    return []
