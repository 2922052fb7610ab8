"""Forgetting sessions: what goes with them, and how they are brought back."""
