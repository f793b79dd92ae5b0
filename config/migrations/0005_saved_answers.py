"""Let Editors manage saved answers and Viewers look at them."""

from django.contrib.auth.management import create_permissions
from django.db import migrations

VIEWER = ("view_savedanswer",)
EDITOR = (*VIEWER, "add_savedanswer", "change_savedanswer", "delete_savedanswer")


def allow(apps, schema_editor):
    app = apps.get_app_config("reviews")
    # Django creates permissions after all migrations, which is too late here.
    models_module, app.models_module = getattr(app, "models_module", None), True
    create_permissions(app, apps=apps, verbosity=0)
    app.models_module = models_module
    permissions = apps.get_model("auth", "Permission").objects.filter(
        content_type__app_label="reviews"
    )
    for name, allowed in (("Editor", EDITOR), ("Viewer", VIEWER)):
        for group in apps.get_model("auth", "Group").objects.filter(name=name):
            group.permissions.add(*permissions.filter(codename__in=allowed))


class Migration(migrations.Migration):
    dependencies = [("config", "0004_roles"), ("reviews", "0025_replies")]

    operations = [migrations.RunPython(allow, migrations.RunPython.noop)]
