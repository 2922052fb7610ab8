"""The review queues: what is in each, and how far it is."""
