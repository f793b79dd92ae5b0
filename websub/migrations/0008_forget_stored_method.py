"""Forget the signature method of a subscription; the column stays, with its default."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('websub', '0007_stored_content'),
    ]

    operations = [
        # A worker of the release before may still write it.
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name='subscription', name='signature_method')],
        ),
    ]
