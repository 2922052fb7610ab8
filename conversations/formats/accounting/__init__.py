"""What became of each text of a file, and whether a reply is in no turn."""

from turnwise.conversations.formats.accounting.text_account import (
    NOT_LOADED,
    TextAccount,
    TextFate,
    TextPlace,
)
from turnwise.conversations.formats.accounting.unread_words import checked

__all__ = ["NOT_LOADED", "TextAccount", "TextFate", "TextPlace", "checked"]
