"""Choosing a judge and judging from the app: the dialogs, the run under way, and its line."""
