"""Take the models of imports over from `reviews`, with their tables and content types.

Permissions, groups and the history of the administration refer to the content types, and follow.
"""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

MODELS = ["importbatch", "importupload", "importchange", "confirmedshape"]


def move_content_types(apps, *, source, target):
    """Move each type, in place of one that `migrate` made between two steps."""
    types = apps.get_model("contenttypes", "ContentType").objects
    for moved in types.filter(app_label=source, model__in=MODELS):
        types.filter(app_label=target, model=moved.model).delete()
        moved.app_label = target
        moved.save()
    types.clear_cache()


def move(apps, schema_editor):
    move_content_types(apps, source="reviews", target="imports")


def move_back(apps, schema_editor):
    move_content_types(apps, source="imports", target="reviews")


class Migration(migrations.Migration):
    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("reviews", "0023_confirmed_shapes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='ImportBatch',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('state', models.CharField(choices=[('uploaded', 'Uploaded'), ('reading', 'Being read'), ('confirming', 'Waiting for your answers'), ('previewed', 'Waiting for your decision'), ('applying', 'Being applied'), ('applied', 'Applied'), ('refused', 'Refused'), ('cancelled', 'Cancelled'), ('undoing', 'Being undone'), ('undone', 'Undone')], default='uploaded', max_length=10)),
                        ('file_name', models.CharField(max_length=255)),
                        ('sha256', models.CharField(db_index=True, max_length=64)),
                        ('size', models.PositiveBigIntegerField(default=0)),
                        ('format', models.CharField(blank=True, max_length=40)),
                        ('encoding', models.CharField(blank=True, max_length=20)),
                        ('options', models.JSONField(blank=True, default=dict)),
                        ('rows', models.PositiveIntegerField(default=0)),
                        ('rows_done', models.PositiveIntegerField(default=0)),
                        ('new', models.PositiveIntegerField(default=0)),
                        ('changed', models.PositiveIntegerField(default=0)),
                        ('unchanged', models.PositiveIntegerField(default=0)),
                        ('skipped', models.PositiveIntegerField(default=0)),
                        ('errors', models.JSONField(blank=True, default=list)),
                        ('warnings', models.JSONField(blank=True, default=list)),
                        ('preview', models.JSONField(blank=True, default=dict)),
                        ('refusal', models.TextField(blank=True)),
                        ('tries', models.PositiveSmallIntegerField(db_default=0, default=0, editable=False)),
                        ('last_failure', models.TextField(blank=True, editable=False, null=True)),
                        ('claim_token', models.CharField(blank=True, db_default='', editable=False, max_length=24)),
                        ('claimed_until', models.DateTimeField(blank=True, editable=False, null=True)),
                        ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('applied_at', models.DateTimeField(blank=True, null=True)),
                        ('undone_at', models.DateTimeField(blank=True, null=True)),
                        ('confirmed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'import',
                        'db_table': 'reviews_importbatch',
                        'ordering': ['-created_at', '-id'],
                    },
                ),
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
                        'db_table': 'reviews_confirmedshape',
                        'ordering': ['-confirmed_at', 'key'],
                    },
                ),
                migrations.CreateModel(
                    name='ImportUpload',
                    fields=[
                        ('batch', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to='imports.importbatch')),
                        ('content', models.BinaryField()),
                    ],
                    options={
                        'db_table': 'reviews_importupload',
                    },
                ),
                migrations.CreateModel(
                    name='ImportChange',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('row', models.PositiveIntegerField()),
                        ('before', models.JSONField()),
                        ('after', models.JSONField()),
                        ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='imports.importbatch')),
                        ('review', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='import_changes', to='reviews.review')),
                    ],
                    options={
                        'db_table': 'reviews_importchange',
                        'constraints': [models.UniqueConstraint(fields=('batch', 'review'), name='change_once_per_batch')],
                    },
                ),
            ],
        ),
        migrations.RunPython(move, move_back),
    ]
