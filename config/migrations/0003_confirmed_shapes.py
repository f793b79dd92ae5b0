"""Let Editors take back confirmed layouts of files and Viewers look at them."""

from django.contrib.auth.management import create_permissions
from django.db import migrations

VIEWER = ("view_confirmedshape",)
EDITOR = (*VIEWER, "delete_confirmedshape")


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
    dependencies = [
        ("config", "0002_sources_for_groups"),
        ("reviews", "0023_confirmed_shapes"),
    ]
    # The permissions move along with their models.
    run_before = [("imports", "0001_move_from_reviews")]

    operations = [migrations.RunPython(allow, migrations.RunPython.noop)]
