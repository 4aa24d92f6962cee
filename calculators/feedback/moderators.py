"""The group whose members moderate feedback and can do nothing else."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.management import create_permissions

GROUP = "Moderators"
# Changing feedback means moving it between states: the admin shows visitors' words read-only.
GRANTED = {
    "feedback": ("view", "change"),
    "reply": ("view", "add", "change", "delete"),
    "moderationevent": ("view",),
}


def make_moderators(sender: AppConfig, using: str, **_: Any) -> None:
    """Make the group where it is missing; one that is there may be as the owner wants it.

    Called when the tables have been made or emptied.
    """
    from django.contrib.auth.models import Group, Permission

    # Django makes them at the same signal, perhaps after this.
    create_permissions(sender, using=using, verbosity=0)
    group, is_new = Group.objects.using(using).get_or_create(name=GROUP)
    if is_new:
        names = [f"{action}_{model}" for model, actions in GRANTED.items() for action in actions]
        permissions = Permission.objects.using(using).filter(content_type__app_label=sender.label)
        group.permissions.set(permissions.filter(codename__in=names))
