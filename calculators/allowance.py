"""What the calculation of one request may cost on the server."""

from __future__ import annotations

from django.conf import settings

from .scoring import Budget


def for_one_text() -> Budget:
    """For one text with its whole working, in the thread that asks for it."""
    return Budget(
        seconds=settings.MTCALC_WORK_SECONDS, processor_seconds=settings.MTCALC_TEXT_SECONDS
    )


def for_many_texts() -> Budget:
    """For a corpus, or the items of the gate."""
    return Budget(seconds=settings.MTCALC_WORK_SECONDS)
