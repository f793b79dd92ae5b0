"""Forget the state "suspended"; the column stays, with a default."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('websub', '0008_forget_stored_method'),
    ]

    operations = [
        # A worker of the release before may still write it.
        migrations.AlterField(
            model_name='subscription',
            name='suspended_reason',
            field=models.CharField(blank=True, db_column='set_aside', db_default='', max_length=300),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name='subscription', name='suspended_reason')],
        ),
    ]
