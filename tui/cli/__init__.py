"""The turnwise command: a thin skin over the engine and the conversations."""
