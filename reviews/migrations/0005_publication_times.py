"""Store when each review appeared here, and when that last changed.

No column has a default or is required, and the unique index has a condition: so SQLite leaves the
table of reviews and its triggers (migration 0002) as they are.

What is there already appeared when its row was created, in that order. A review that was older than
seven days by then is published at midnight of its day in the business's time zone, plus a second
for each review of that day before it. Times are whole seconds.
"""

import datetime as dt
from collections import Counter
from zoneinfo import ZoneInfo

from django.db import migrations, models
from django.db.models import Q

RECENT_DAYS = 7
SECOND = dt.timedelta(seconds=1)
PORTION = 2_000


def fill(apps, schema_editor):
    business = apps.get_model("reviews", "Business").objects.first()
    time_zone = ZoneInfo(business.time_zone if business else "UTC")
    rows = apps.get_model("reviews", "Review").objects.order_by("created_at", "date", "ulid")
    connection = schema_editor.connection
    adapt = connection.ops.adapt_datetimefield_value
    given, of_day, latest, portion = set(), Counter(), None, []

    def store():
        with connection.cursor() as cursor:
            cursor.executemany(
                "UPDATE reviews_review SET published_at = %s, modified_at = %s WHERE id = %s",
                portion,
            )
        portion.clear()

    values = list(rows.values_list("pk", "date", "created_at", "modified_at"))
    for pk, day, created_at, modified_at in values:
        created = whole_second(created_at)
        if abs((created_at.astimezone(time_zone).date() - day).days) <= RECENT_DAYS:
            published = created if latest is None or created > latest else latest + SECOND
            latest = published
        else:
            published = midnight(day, time_zone) + of_day[day] * SECOND
        of_day[day] += 1
        while published in given:
            published += SECOND
        given.add(published)
        modified = max(published, whole_second(modified_at or created_at))
        portion.append((adapt(published), adapt(modified), pk))
        if len(portion) == PORTION:
            store()
    store()


def whole_second(instant):
    return instant.replace(microsecond=0) + (SECOND if instant.microsecond else dt.timedelta())


def midnight(day, time_zone):
    begin = dt.datetime.combine(day, dt.time(), time_zone)
    minutes = begin.utcoffset() // dt.timedelta(minutes=1)
    try:
        offset = dt.timezone(dt.timedelta(minutes=minutes))
        return begin.replace(tzinfo=offset).astimezone(dt.UTC)
    except OverflowError:
        return begin.replace(tzinfo=dt.UTC)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0004_trace_hidden_reviews")]

    operations = [
        migrations.AddField(
            model_name="review",
            name="published_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="review",
            index=models.Index(fields=["modified_at"], name="review_modified_at"),
        ),
        migrations.AddConstraint(
            model_name="review",
            constraint=models.UniqueConstraint(
                fields=["published_at"],
                condition=Q(published_at__isnull=False),
                name="review_published_at",
            ),
        ),
    ]
