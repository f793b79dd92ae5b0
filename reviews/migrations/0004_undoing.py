from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reviews", "0003_phrases")]

    operations = [
        migrations.AlterField(
            model_name="importbatch",
            name="state",
            field=models.CharField(
                choices=[
                    ("uploaded", "Uploaded"),
                    ("reading", "Being read"),
                    ("previewed", "Waiting for your decision"),
                    ("applying", "Being applied"),
                    ("applied", "Applied"),
                    ("refused", "Refused"),
                    ("cancelled", "Cancelled"),
                    ("undoing", "Being undone"),
                    ("undone", "Undone"),
                ],
                default="uploaded",
                max_length=10,
            ),
        ),
    ]
