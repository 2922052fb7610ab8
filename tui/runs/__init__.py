"""The runs there were: how each came out, and what can be done about it."""
