"""Criteria in plain words: files, drafts, trials on a sample, and versions."""
