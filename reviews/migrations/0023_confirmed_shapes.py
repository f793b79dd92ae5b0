"""Confirmed layouts of files in place of mappings and answers; answers about places are kept."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def keep_places(apps, schema_editor):
    answers = apps.get_model("reviews", "ImportAnswer").objects.filter(kind="place")
    places = {one.subject: one.answer == "ours" for one in answers}
    if places:
        apps.get_model("reviews", "ConfirmedShape").objects.create(
            key="places",
            file_name="Places of earlier imports",
            confirmation={
                "columns": {},
                "decisions": {},
                "stars": {},
                "worst_rating": None,
                "best_rating": None,
                "date_order": None,
                "places": places,
                "source": None,
            },
        )


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0022_source_names'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ConfirmedShape',
            fields=[
                ('key', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('confirmation', models.JSONField()),
                ('file_name', models.CharField(max_length=255, verbose_name='first confirmed for')),
                ('confirmed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('confirmed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'confirmed file layout',
                'verbose_name_plural': 'confirmed file layouts',
                'ordering': ['-confirmed_at', 'key'],
            },
        ),
        migrations.RunPython(keep_places, migrations.RunPython.noop),
        # The tables and the column stay for the version before; a later release removes them.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name='ColumnMapping'),
                migrations.DeleteModel(name='ImportAnswer'),
                migrations.RemoveField(model_name='importbatch', name='tried_at'),
            ],
        ),
        migrations.AddField(
            model_name='importbatch',
            name='claim_token',
            field=models.CharField(blank=True, db_default='', editable=False, max_length=24),
        ),
        migrations.AddField(
            model_name='importbatch',
            name='claimed_until',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='importbatch',
            name='confirmed_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='importbatch',
            name='state',
            field=models.CharField(choices=[('uploaded', 'Uploaded'), ('reading', 'Being read'), ('confirming', 'Waiting for your answers'), ('previewed', 'Waiting for your decision'), ('applying', 'Being applied'), ('applied', 'Applied'), ('refused', 'Refused'), ('cancelled', 'Cancelled'), ('undoing', 'Being undone'), ('undone', 'Undone')], default='uploaded', max_length=10),
        ),
    ]
