from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reviews", "0008_set_aside")]

    operations = [
        migrations.AddField(
            model_name="review",
            name="source_updated_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
