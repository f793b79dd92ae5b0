"""Name stored results and states by the members of their enums, and the slow queue by its field."""

from django.db import migrations, models

RENAMED = (
    ('Attempt', 'result', 'miss', 'failed'),
    ('Attempt', 'result', 'own fault', 'hub_error'),
    ('Verification', 'state', 'told', 'reported'),
)


def rename(apps, schema_editor):
    for model, field, old, new in RENAMED:
        rows = apps.get_model('websub', model).objects.using(schema_editor.connection.alias)
        rows.filter(**{field: old}).update(**{field: new})


def rename_back(apps, schema_editor):
    for model, field, old, new in RENAMED:
        rows = apps.get_model('websub', model).objects.using(schema_editor.connection.alias)
        rows.filter(**{field: new}).update(**{field: old})


class Migration(migrations.Migration):

    dependencies = [
        ('websub', '0004_forget_request_fields'),
    ]

    operations = [
        # The column and its index stay as they are.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex(model_name='subscription', name='subscription_due'),
                migrations.RenameField(model_name='subscription', old_name='is_slow', new_name='in_slow_queue'),
                migrations.AlterField(
                    model_name='subscription',
                    name='in_slow_queue',
                    field=models.BooleanField(db_column='is_slow', default=False),
                ),
                migrations.AddIndex(
                    model_name='subscription',
                    index=models.Index(fields=['topic', 'in_slow_queue', 'acknowledged_version', 'next_attempt_at'], name='subscription_due'),
                ),
            ],
        ),
        migrations.AlterField(
            model_name='attempt',
            name='result',
            field=models.CharField(choices=[('acknowledged', 'Acknowledged'), ('failed', 'Miss'), ('gone', 'Gone (410)'), ('hub_error', 'Our own fault')], max_length=12),
        ),
        migrations.AlterField(
            model_name='verification',
            name='state',
            field=models.CharField(choices=[('pending', 'Waiting'), ('confirmed', 'Confirmed'), ('refused', 'Refused by the callback'), ('failed', 'Not reached'), ('denied', 'Denied by this hub'), ('reported', 'Told')], default='pending', max_length=9),
        ),
        migrations.RunPython(rename, rename_back),
    ]
