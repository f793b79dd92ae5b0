"""Add the stored content of topics without versions of their own."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('websub', '0006_plain_labels'),
    ]

    operations = [
        migrations.CreateModel(
            name='StoredContent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=500, unique=True)),
                ('version', models.PositiveBigIntegerField(default=0)),
                ('digest', models.CharField(blank=True, max_length=64)),
                ('body', models.BinaryField(default=bytes)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
    ]
