"""Name results and states in plain words."""

from django.db import migrations, models

class Migration(migrations.Migration):

    dependencies = [
        ('websub', '0005_name_values_by_the_enums'),
    ]

    operations = [
        migrations.AlterField(
            model_name='attempt',
            name='result',
            field=models.CharField(choices=[('acknowledged', 'Acknowledged'), ('failed', 'Failed'), ('gone', 'Gone (410)'), ('hub_error', 'Error of the hub')], max_length=12),
        ),
        migrations.AlterField(
            model_name='verification',
            name='state',
            field=models.CharField(choices=[('pending', 'Waiting'), ('confirmed', 'Confirmed'), ('refused', 'Refused by the callback'), ('failed', 'Not reached'), ('denied', 'Denied by this hub'), ('reported', 'Callback informed')], default='pending', max_length=9),
        ),
    ]
