"""Ratings and comments: what visitors send, the rules it passes, and its moderation."""
