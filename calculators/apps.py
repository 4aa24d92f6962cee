"""The application of the calculators."""

from django.apps import AppConfig


class CalculatorsConfig(AppConfig):
    """Registers the system checks."""

    name = "calculators"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import checks  # noqa: F401 - importing it registers the checks
