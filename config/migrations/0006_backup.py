"""The record of scheduled backups."""

import datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('config', '0005_saved_answers'),
    ]

    operations = [
        migrations.CreateModel(
            name='Backup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(unique=True, verbose_name='day')),
                ('claimed_until', models.DateTimeField(default=datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), verbose_name='claimed until')),
                ('made_at', models.DateTimeField(blank=True, null=True, verbose_name='made at')),
                ('size', models.BigIntegerField(default=0, verbose_name='size in bytes')),
                ('reviews', models.PositiveIntegerField(default=0, verbose_name='number of reviews')),
                ('error', models.TextField(blank=True, verbose_name='error')),
            ],
            options={
                'verbose_name': 'backup',
                'verbose_name_plural': 'backups',
                'default_permissions': (),
            },
        ),
    ]
