"""Remove the texts that a language model worded, and the column that told them from others."""

from django.db import migrations


def remove_texts(apps, schema_editor):
    apps.get_model("insights", "InsightText").objects.filter(source="llm").delete()


class Migration(migrations.Migration):
    dependencies = [("insights", "0001_squashed_0002_more_verticals")]

    operations = [
        migrations.RunPython(remove_texts, migrations.RunPython.noop),
        migrations.RemoveConstraint("insighttext", "insight_text_source_tells_whose_text"),
        migrations.RemoveField("insighttext", "source"),
    ]
