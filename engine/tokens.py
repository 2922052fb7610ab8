"""Tokens: how many of them a text takes in a judge's prompt, estimated from its length alone."""

from __future__ import annotations

CHARACTERS_A_TOKEN = 4.0
"""English text in the tokenizers in use has 4 to 4.5 characters a token."""
TOKENS_OF_RULES = 350
TOKENS_A_TURN = 12
"""What a heading takes in the prompt."""
TOKENS_OF_A_VERDICT = 35


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has."""
    return round(len(text) / CHARACTERS_A_TOKEN)
