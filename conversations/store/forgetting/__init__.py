"""Forgetting sessions: what goes with them, how they are brought back, and that no number is given twice."""
