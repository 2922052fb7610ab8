"""Grades that a judge gives: by lists of criteria, or one score for the whole answer."""
