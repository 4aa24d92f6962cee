"""Data files of the metrics, their licences, and the commands that build them."""
