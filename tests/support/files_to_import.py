"""A conversation as a file holds it, for tests that import one."""

from __future__ import annotations

GOOD = {"turns": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello to you"}]}
