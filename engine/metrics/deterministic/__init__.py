"""Checks: metrics that need no judge."""
