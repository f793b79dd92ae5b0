"""Name forgotten people as people read it."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0009_mark_earlier_edits'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='forgottenauthor',
            options={'ordering': ['-forgotten_at', '-id'], 'verbose_name': 'forgotten person', 'verbose_name_plural': 'forgotten people'},
        ),
    ]
