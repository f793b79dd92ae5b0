"""Leave the models of imports to their own app; the tables stay."""

import django.db.models.deletion
from django.db import migrations, models


def batch(name):
    return models.ForeignKey(
        "imports.ImportBatch",
        null=True,
        blank=True,
        editable=False,
        on_delete=django.db.models.deletion.SET_NULL,
        related_name=name,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("imports", "0001_move_from_reviews"),
        ("reviews", "0023_confirmed_shapes"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField("review", "created_by_batch", batch("created_reviews")),
                migrations.AlterField("review", "changed_by_batch", batch("changed_reviews")),
                migrations.DeleteModel("ImportChange"),
                migrations.DeleteModel("ImportUpload"),
                migrations.DeleteModel("ConfirmedShape"),
                migrations.DeleteModel("ImportBatch"),
            ],
        ),
    ]
