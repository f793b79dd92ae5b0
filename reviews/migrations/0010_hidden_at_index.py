"""Find the reviews that were hidden since a moment without reading all."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("reviews", "0009_mark_earlier_edits")]

    operations = [
        migrations.AddIndex(
            model_name="review",
            index=models.Index(
                fields=["hidden_at"], condition=Q(hidden=True), name="review_hidden_at"
            ),
        ),
    ]
