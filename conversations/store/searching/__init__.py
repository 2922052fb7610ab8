"""Searching: how words are found in what was said, or in what only stands beside it."""
