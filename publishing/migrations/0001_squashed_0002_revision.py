"""Create the tables of documents and revisions."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('publishing', '0001_initial'),
        ('publishing', '0002_revision'),
    ]

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Document',
            fields=[
                ('path', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('version', models.PositiveBigIntegerField(default=0, help_text='Counts the changes of its bytes.')),
                ('revision', models.PositiveBigIntegerField(default=0, help_text='Of the data that it has been compared with last.')),
                ('fingerprint', models.CharField(blank=True, help_text='Of everything but the data that shapes its bytes.', max_length=64)),
                ('digest', models.CharField(blank=True, help_text='Of its bytes; the ETag.', max_length=64)),
                ('changed_at', models.DateTimeField(null=True)),
                ('gzip', models.BinaryField(default=b'')),
                ('br', models.BinaryField(default=b'')),
                ('zstd', models.BinaryField(default=b'')),
                ('claimed_until', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Revision',
            fields=[
                ('name', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('number', models.PositiveBigIntegerField(default=0)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
    ]
