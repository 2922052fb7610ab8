"""Widgets that draw only what is seen: transcripts and lists of any length, pure of the database."""
