"""Commands that judge, and that say how far to trust what was judged."""
