"""``manage.py purge_feedback``: what feedback no longer needs, deleted."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from calculators.feedback import moderation


class Command(BaseCommand):
    """Deletes old spam and rejected entries. Fit to be run every day."""

    help = "Delete spam and rejected feedback that is older than --days (30)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=30)

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 <= options["days"] <= 36_500:
            raise CommandError("--days must be from 0 to 36,500.")
        deleted = moderation.purge(timedelta(days=options["days"]))
        self.stdout.write(f"Deleted {deleted} spam or rejected entries.")
