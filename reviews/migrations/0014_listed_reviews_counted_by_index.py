from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reviews", "0013_text_trigrams")]

    operations = [
        migrations.RemoveIndex(model_name="review", name="review_listed"),
        migrations.AddIndex(
            model_name="review",
            index=models.Index(
                fields=[
                    "-date",
                    "-ulid",
                    "rating",
                    "source",
                    "language",
                    "reply_date",
                    "modified_at",
                    "hidden",
                ],
                condition=models.Q(hidden=False),
                name="review_listed",
            ),
        ),
    ]
