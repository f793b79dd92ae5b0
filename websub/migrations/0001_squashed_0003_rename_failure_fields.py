"""Create the tables of the hub."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('websub', '0001_initial'),
        ('websub', '0002_signature_methods_tests_and_log_details'),
        ('websub', '0003_rename_failure_fields'),
    ]

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Subscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(editable=False, max_length=64)),
                ('callback', models.TextField()),
                ('callback_host', models.CharField(db_index=True, max_length=255)),
                ('topic', models.CharField(max_length=500)),
                ('encrypted_secret', models.TextField(blank=True)),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('lease_seconds', models.PositiveIntegerField()),
                ('acknowledged_version', models.PositiveBigIntegerField(default=0)),
                ('next_attempt_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('is_slow', models.BooleanField(default=False)),
                ('claimed_until', models.DateTimeField(blank=True, null=True)),
                ('claim_token', models.CharField(blank=True, max_length=32)),
                ('last_attempt_at', models.DateTimeField(blank=True, null=True)),
                ('last_status', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('last_error', models.CharField(blank=True, max_length=300)),
                ('last_seconds', models.FloatField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('signature_method', models.CharField(blank=True, db_default='', default='', help_text="Empty: the installation's.", max_length=6)),
                ('test_requested_at', models.DateTimeField(blank=True, null=True)),
                ('consecutive_failures', models.PositiveSmallIntegerField(db_column='misses', default=0)),
                ('hub_errors', models.PositiveSmallIntegerField(db_column='own_faults', default=0)),
                ('suspended_reason', models.CharField(blank=True, db_column='set_aside', help_text='Why deliveries are held back: a fault of ours.', max_length=300)),
            ],
            options={
                'indexes': [models.Index(fields=['topic', 'is_slow', 'acknowledged_version', 'next_attempt_at'], name='subscription_due'), models.Index(models.F('test_requested_at'), condition=models.Q(('test_requested_at__isnull', False)), name='subscription_test')],
                'constraints': [models.UniqueConstraint(fields=('key',), name='subscription_pair')],
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('callback_host', models.CharField(max_length=255)),
                ('topic', models.CharField(max_length=500)),
                ('version', models.PositiveBigIntegerField()),
                ('result', models.CharField(choices=[('acknowledged', 'Acknowledged'), ('miss', 'Miss'), ('gone', 'Gone (410)'), ('own fault', 'Our own fault')], max_length=12)),
                ('status', models.PositiveSmallIntegerField(null=True)),
                ('error', models.CharField(blank=True, max_length=300)),
                ('seconds', models.FloatField()),
                ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('callback_hash', models.CharField(blank=True, db_default='', db_index=True, default='', max_length=64)),
                ('is_test', models.BooleanField(db_default=False, default=False)),
                ('sent_bytes', models.PositiveBigIntegerField(null=True)),
                ('signature_method', models.CharField(blank=True, db_default='', default='', max_length=6)),
                ('subscription', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='tried', to='websub.subscription')),
            ],
        ),
        migrations.CreateModel(
            name='Verification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(editable=False, max_length=64)),
                ('callback', models.TextField()),
                ('callback_host', models.CharField(db_index=True, max_length=255)),
                ('topic', models.CharField(max_length=500)),
                ('mode', models.CharField(choices=[('subscribe', 'Subscribe'), ('unsubscribe', 'Unsubscribe'), ('denied', 'Denied')], max_length=11)),
                ('topic_as_sent', models.CharField(max_length=2048)),
                ('encrypted_secret', models.TextField(blank=True)),
                ('lease_seconds', models.PositiveIntegerField()),
                ('published_version', models.PositiveBigIntegerField(db_default=0)),
                ('reason', models.CharField(blank=True, db_default='', max_length=300)),
                ('state', models.CharField(choices=[('pending', 'Waiting'), ('confirmed', 'Confirmed'), ('refused', 'Refused by the callback'), ('failed', 'Not reached'), ('denied', 'Denied by this hub'), ('told', 'Told')], default='pending', max_length=9)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('next_attempt_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('claimed_until', models.DateTimeField(blank=True, null=True)),
                ('claim_token', models.CharField(blank=True, max_length=32)),
                ('last_status', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('last_error', models.CharField(blank=True, max_length=300)),
                ('requested_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('signature_method', models.CharField(blank=True, db_default='', default='', max_length=6)),
                ('verify_token', models.CharField(blank=True, db_default='', default='', max_length=1000)),
            ],
            options={
                'indexes': [models.Index(models.F('next_attempt_at'), condition=models.Q(('state', 'pending')), name='verification_due')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'pending')), fields=('key',), name='verification_pending_pair')],
            },
        ),
    ]
