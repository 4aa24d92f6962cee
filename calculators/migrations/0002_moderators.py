"""The group whose members moderate feedback and can do nothing else."""

from django.db import migrations

GROUP = "Moderators"
# Changing feedback means moving it between states: the admin shows visitors' words read-only.
GRANTED = {
    "feedback": ("view", "change"),
    "reply": ("view", "add", "change", "delete"),
    "moderationevent": ("view",),
}


def make_group(apps, schema_editor):
    database = schema_editor.connection.alias
    group, _ = apps.get_model("auth", "Group").objects.using(database).get_or_create(name=GROUP)
    for model, actions in GRANTED.items():
        for action in actions:
            group.permissions.add(_permission(apps, database, model, action))


def _permission(apps, database, model, action):
    # Django makes permissions after all migrations; it keeps what it finds then.
    kind, _ = apps.get_model("contenttypes", "ContentType").objects.using(database).get_or_create(
        app_label="calculators", model=model
    )
    permission, _ = apps.get_model("auth", "Permission").objects.using(database).get_or_create(
        content_type=kind,
        codename=f"{action}_{model}",
        defaults={"name": f"Can {action} {_spoken(model)}"},
    )
    return permission


def _spoken(model):
    return "moderation event" if model == "moderationevent" else model


def remove_group(apps, schema_editor):
    database = schema_editor.connection.alias
    apps.get_model("auth", "Group").objects.using(database).filter(name=GROUP).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("calculators", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(make_group, remove_group)]
