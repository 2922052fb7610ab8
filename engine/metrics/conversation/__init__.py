"""Metrics that see a whole conversation."""
