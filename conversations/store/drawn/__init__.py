"""Queues that draw their sessions one after the other, with known chances."""
