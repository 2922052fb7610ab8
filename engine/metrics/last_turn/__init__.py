"""Metrics that see one exchange: the last of a conversation, or each of them."""
