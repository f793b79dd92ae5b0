"""Let members of groups sign in, and leave the hub and the analyser's runs to administrators."""

from django.db import migrations

MACHINERY = {
    "insights": ("view_analysisrun", "view_chatday"),
    "websub": ("view_attempt", "view_subscription", "view_verification"),
}


def set_up_roles(apps, schema_editor):
    apps.get_model("auth", "User").objects.filter(groups__isnull=False).update(is_staff=True)
    for group in apps.get_model("auth", "Group").objects.filter(name__in=("Editor", "Viewer")):
        for label, codenames in MACHINERY.items():
            group.permissions.remove(
                *group.permissions.filter(
                    content_type__app_label=label, codename__in=codenames
                )
            )


class Migration(migrations.Migration):
    dependencies = [("config", "0003_confirmed_shapes")]

    operations = [migrations.RunPython(set_up_roles, migrations.RunPython.noop)]
