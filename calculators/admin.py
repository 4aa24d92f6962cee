"""The application's part of the admin, which all belongs to feedback."""

from .feedback.admin import FeedbackAdmin, ModerationEventAdmin

__all__ = ["FeedbackAdmin", "ModerationEventAdmin"]
