"""Judging conversations: metrics, judges, and the one road from cases to outcomes."""
