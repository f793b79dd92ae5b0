"""Follow the model of import batches to its app; the table stays."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("imports", "0001_move_from_reviews"), ("sources", "0006_own_keys")]
    run_before = [("reviews", "0024_imports_move_out")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "sourcerun",
                    "batch",
                    models.OneToOneField(
                        "imports.ImportBatch",
                        null=True,
                        blank=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="source_run",
                    ),
                ),
            ],
        ),
    ]
