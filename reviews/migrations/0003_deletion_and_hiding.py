"""Keep deleted reviews away, and say when, why and by whom a review was hidden."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0002_text_indexes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="review",
            name="hidden_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="review",
            name="hidden_by",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="review",
            name="hidden_reason",
            field=models.CharField(
                blank=True,
                choices=[
                    ("spam", "Spam or fake"),
                    ("not_a_customer", "Not a customer"),
                    ("personal_data", "Personal data"),
                    ("legal_request", "Legal request"),
                    ("duplicate", "Duplicate"),
                    ("other", "Another reason"),
                    ("absent", "Absent from a complete file"),
                ],
                editable=False,
                max_length=20,
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="review",
            name="shown_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.CreateModel(
            name="DeletedReview",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ulid", models.CharField(db_index=True, max_length=26, verbose_name="id")),
                ("kept_out", models.BooleanField(default=True)),
                ("merge_key", models.CharField(blank=True, max_length=32)),
                ("content", models.CharField(blank=True, max_length=32)),
                ("source", models.CharField(blank=True, max_length=50)),
                ("rating", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("date", models.DateField(blank=True, null=True, verbose_name="day of the review")),
                (
                    "deleted_at",
                    models.DateTimeField(db_index=True, default=django.utils.timezone.now),
                ),
                (
                    "deleted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-deleted_at", "-id"],
            },
        ),
    ]
