"""Mending: what of a damaged database is still there, read session by session or copied into a new file."""
