"""A session played again as it happened."""
