import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

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
                ('misses', models.PositiveSmallIntegerField(default=0)),
                ('next_attempt_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('is_slow', models.BooleanField(default=False)),
                ('claimed_until', models.DateTimeField(blank=True, null=True)),
                ('claim_token', models.CharField(blank=True, max_length=32)),
                ('last_attempt_at', models.DateTimeField(blank=True, null=True)),
                ('last_status', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('last_error', models.CharField(blank=True, max_length=300)),
                ('last_seconds', models.FloatField(blank=True, null=True)),
                ('own_faults', models.PositiveSmallIntegerField(default=0)),
                ('set_aside', models.CharField(blank=True, help_text='Why deliveries are held back: a fault of ours.', max_length=300)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'indexes': [models.Index(fields=['topic', 'is_slow', 'acknowledged_version', 'next_attempt_at'], name='subscription_due')],
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
            ],
            options={
                'indexes': [models.Index(models.F('next_attempt_at'), condition=models.Q(('state', 'pending')), name='verification_due')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'pending')), fields=('key',), name='verification_pending_pair')],
            },
        ),
    ]
