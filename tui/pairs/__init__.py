"""Pairs of sessions read side by side without names: which of the two is better."""
