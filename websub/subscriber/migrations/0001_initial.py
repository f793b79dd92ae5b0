
import django.utils.timezone
import secrets
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
                ('url', models.CharField(max_length=500, unique=True)),
                ('topic', models.CharField(blank=True, max_length=2048)),
                ('hub', models.CharField(blank=True, max_length=2048)),
                ('token', models.CharField(default=secrets.token_urlsafe, max_length=43, unique=True)),
                ('is_wanted', models.BooleanField(default=True)),
                ('lease_seconds', models.PositiveIntegerField(default=864000)),
                ('expires_at', models.DateTimeField(null=True)),
                ('next_request_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('received_at', models.DateTimeField(null=True)),
                ('last_error', models.CharField(blank=True, max_length=300)),
            ],
        ),
    ]
