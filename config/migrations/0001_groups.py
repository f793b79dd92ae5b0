"""Create the groups Editor and Viewer, once: what a superuser makes of them stays."""

from django.contrib.auth.management import create_permissions
from django.db import migrations

EVERYTHING = ("add", "change", "delete", "view")
LOOK = ("view",)
PAGES = {
    "reviews": (
        *("business", "deletedreview", "forgottenauthor", "importanswer", "importbatch"),
        *("review", "service", "servicearea", "technician"),
    ),
    "insights": ("analysisrun", "chatday", "insighttext", "override", "reviewanalysis", "taxonomy"),
    "websub": ("attempt", "subscription", "verification"),
}
# Beside looking at every page.
EDITOR = {
    "reviews": {
        "business": ("add", "change"),
        "deletedreview": ("change",),  # To let imports bring deleted reviews back.
        "importanswer": ("delete",),
        "importbatch": ("add",),
        "review": ("add", "change", "hide"),  # Neither deletes reviews nor forgets people.
        "service": EVERYTHING,
        "servicearea": EVERYTHING,
        "technician": EVERYTHING,
    },
    "insights": {
        "insighttext": ("change",),
        "override": EVERYTHING,
        "reviewanalysis": ("change",),
        "taxonomy": ("add", "change"),
    },
}


def create_groups(apps, schema_editor):
    _create_all_permissions(apps)
    viewer = {(app, f"view_{model}") for app, models in PAGES.items() for model in models}
    editor = viewer | {
        (app, f"{action}_{model}")
        for app, models in EDITOR.items()
        for model, actions in models.items()
        for action in actions
    }
    permissions = {
        (permission.content_type.app_label, permission.codename): permission
        for permission in apps.get_model("auth", "Permission").objects.select_related("content_type")
    }
    groups = apps.get_model("auth", "Group").objects
    for name, allowed in (("Editor", editor), ("Viewer", viewer)):
        group, is_new = groups.get_or_create(name=name)
        if is_new:
            # Later migrations may have removed a model.
            known = allowed & permissions.keys()
            group.permissions.set([permissions[key] for key in sorted(known)])


def _create_all_permissions(apps):
    """Django creates permissions after all migrations, which is too late here."""
    for label in PAGES:
        app = apps.get_app_config(label)
        models_module, app.models_module = getattr(app, "models_module", None), True
        create_permissions(app, apps=apps, verbosity=0)
        app.models_module = models_module


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("reviews", "0001_squashed_0020_visits"),
        ("insights", "0001_squashed_0002_more_verticals"),
        ("websub", "0001_squashed_0003_rename_failure_fields"),
    ]

    operations = [migrations.RunPython(create_groups, migrations.RunPython.noop)]
