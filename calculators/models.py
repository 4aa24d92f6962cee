"""The application's models, which all belong to feedback."""

from .feedback.models import Counter, DailyKey, Feedback, ModerationEvent, Reply

__all__ = ["Counter", "DailyKey", "Feedback", "ModerationEvent", "Reply"]
