"""Failure modes in the database: their names, what was done to them, and what sessions have them."""
