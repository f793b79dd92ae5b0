"""Name forgotten people as people read it."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0011_import_answers'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='forgottenauthor',
            options={'ordering': ['-forgotten_at', '-id'], 'verbose_name': 'forgotten person', 'verbose_name_plural': 'forgotten people'},
        ),
    ]
