"""Pairs of sessions that people choose the better one of."""
