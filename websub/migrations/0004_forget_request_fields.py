"""Forget the request's fields that mean nothing any more; the columns stay, with their defaults."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('websub', '0001_squashed_0003_rename_failure_fields'),
    ]

    operations = [
        # A worker of the release before may still write them.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name='verification', name='verify_token'),
                migrations.RemoveField(model_name='verification', name='signature_method'),
            ],
        ),
    ]
