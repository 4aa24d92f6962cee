"""The application of the calculators."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CalculatorsConfig(AppConfig):
    """Registers the system checks, and who makes the moderators' group."""

    name = "calculators"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import checks  # noqa: F401 - importing it registers the checks
        from .feedback.moderators import make_moderators

        post_migrate.connect(make_moderators, sender=self)
