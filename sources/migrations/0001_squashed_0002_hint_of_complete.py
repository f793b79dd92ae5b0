"""Create the tables of sources."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('sources', '0001_initial'),
        ('sources', '0002_hint_of_complete'),
    ]

    initial = True

    dependencies = [
        ('reviews', '0001_squashed_0020_visits'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='SourceConnection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('kind', models.CharField(max_length=40)),
                ('settings', models.JSONField(blank=True, default=dict)),
                ('encrypted_secret', models.TextField(blank=True, editable=False)),
                ('import_options', models.JSONField(blank=True, default=dict)),
                ('interval_seconds', models.PositiveIntegerField(default=3600, verbose_name='look every (seconds)')),
                ('is_complete', models.BooleanField(default=False, help_text='Hide reviews that the source no longer lists. More than 5 % or 20 at a time wait for your approval. Reviews that you first imported by hand are never hidden by this.', verbose_name='this source is complete')),
                ('holds_new', models.BooleanField(default=False, help_text='New reviews stay hidden until you release them.', verbose_name='new reviews wait for release')),
                ('state', models.CharField(choices=[('active', 'Active'), ('paused', 'Paused'), ('stopped', 'Stopped: needs your action')], default='active', max_length=10)),
                ('requested', models.CharField(blank=True, choices=[('', 'None'), ('import', 'Check and import'), ('preview', 'Check and show a preview')], default='', max_length=10)),
                ('next_look_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('claimed_until', models.DateTimeField(blank=True, null=True)),
                ('claim_token', models.CharField(blank=True, max_length=32)),
                ('fetch_state', models.JSONField(blank=True, default=dict)),
                ('content_sha256', models.CharField(blank=True, max_length=64)),
                ('announced', models.JSONField(blank=True, default=list)),
                ('last_look_at', models.DateTimeField(blank=True, null=True)),
                ('last_success_at', models.DateTimeField(blank=True, null=True)),
                ('last_change_at', models.DateTimeField(blank=True, null=True)),
                ('last_error', models.TextField(blank=True)),
                ('failing_since', models.DateTimeField(blank=True, null=True)),
                ('consecutive_failures', models.PositiveIntegerField(default=0)),
                ('looks', models.PositiveBigIntegerField(default=0)),
                ('looks_without_change', models.PositiveBigIntegerField(default=0)),
                ('last_format', models.CharField(blank=True, max_length=40)),
                ('last_place', models.CharField(blank=True, max_length=250)),
                ('last_rows', models.PositiveIntegerField(default=0)),
                ('most_rows', models.PositiveIntegerField(default=0)),
                ('expected_rows', models.PositiveIntegerField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name': 'source',
                'ordering': ['name', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('interval_seconds__gte', 5)), name='source_interval_is_long_enough'), models.CheckConstraint(condition=models.Q(models.Q(('claim_token', ''), ('claimed_until', None)), models.Q(('claimed_until__isnull', False), models.Q(('claim_token', ''), _negated=True)), _connector='OR'), name='source_claim_is_whole'), models.CheckConstraint(condition=models.Q(('last_rows__lte', models.F('most_rows'))), name='source_rows_within_most')],
            },
        ),
        migrations.CreateModel(
            name='SourceRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('stored', 'Waiting to be imported'), ('waiting', 'Waiting for your approval'), ('imported', 'Imported'), ('unchanged', 'Nothing new'), ('rejected', 'Rejected'), ('failed', 'Failed')], default='stored', max_length=10)),
                ('trigger', models.CharField(choices=[('schedule', 'Schedule'), ('person', 'A person'), ('push', 'Push')], default='schedule', max_length=10)),
                ('is_preview', models.BooleanField(default=False)),
                ('is_approved', models.BooleanField(default=False)),
                ('file_name', models.CharField(max_length=255)),
                ('content', models.BinaryField(blank=True, null=True)),
                ('sha256', models.CharField(max_length=64)),
                ('size', models.PositiveBigIntegerField(default=0)),
                ('is_whole', models.BooleanField(default=False)),
                ('deleted_ids', models.JSONField(blank=True, default=list)),
                ('state_before', models.JSONField(blank=True, default=dict)),
                ('reasons', models.JSONField(blank=True, default=list)),
                ('error', models.TextField(blank=True)),
                ('rows', models.PositiveIntegerField(default=0)),
                ('new', models.PositiveIntegerField(default=0)),
                ('changed', models.PositiveIntegerField(default=0)),
                ('hidden', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('batch', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='source_run', to='reviews.importbatch')),
                ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='sources.sourceconnection', verbose_name='source')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'run of a source',
                'verbose_name_plural': 'runs of sources',
                'ordering': ['-created_at', '-pk'],
                'indexes': [models.Index(fields=['connection', 'state'], name='run_by_connection_state')],
                'constraints': [models.CheckConstraint(condition=models.Q(('content__isnull', False), ('state__in', ['imported', 'unchanged', 'rejected', 'failed']), _connector='OR'), name='run_keeps_content_until_its_end')],
            },
        ),
    ]
