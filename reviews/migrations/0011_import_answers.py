"""Store what was said once of places, statuses and columns of imports."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0010_hidden_at_index'),
    ]

    operations = [
        migrations.CreateModel(
            name='ImportAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('place', 'Place'), ('status', 'Status'), ('publication', 'Column about publication')], max_length=12)),
                ('subject', models.CharField(max_length=250)),
                ('answer', models.CharField(choices=[('ours', 'is ours'), ('other', "is another business's"), ('public', 'is public'), ('hidden', 'is not public'), ('published', 'yes means that it may be published'), ('withheld', 'yes means that it must not be published'), ('ignore', 'says nothing about publication')], max_length=12)),
                ('answered_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name': 'answer for imports',
                'verbose_name_plural': 'answers for imports',
                'ordering': ['kind', 'subject'],
                'constraints': [models.UniqueConstraint(fields=('kind', 'subject'), name='answer_once_per_subject')],
            },
        ),
    ]
