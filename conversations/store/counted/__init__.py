"""Counted: what of outcomes is counted while they are written, and what was counted of all of them."""
