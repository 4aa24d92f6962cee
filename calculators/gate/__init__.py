"""The golden-text gate around its scoring: reading items, the report, the page and the API."""
