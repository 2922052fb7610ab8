"""Lists of messages in the forms of several tools, each made into turns."""

from turnwise.conversations.formats.messages.anthropic_messages import FORMAT as ANTHROPIC_MESSAGES
from turnwise.conversations.formats.messages.batches import FORMAT as BATCHES
from turnwise.conversations.formats.messages.chat_messages import (
    MESSAGE,
    Fields,
    OpenCalls,
    is_message,
    is_pair,
    keep,
    turns_of,
)
from turnwise.conversations.formats.messages.dialects import chat_forms, is_any_message
from turnwise.conversations.formats.messages.envelopes import (
    account,
    check_speakers,
    check_words,
    contents_of,
)
from turnwise.conversations.formats.messages.openai_chat import FORMAT as OPENAI_CHAT
from turnwise.conversations.formats.messages.openai_chat import case_of_record
from turnwise.conversations.formats.messages.replies import (
    CANDIDATES,
    is_reply_name,
    reply_in,
    request_in,
    system_in,
    without,
    written,
)
from turnwise.conversations.formats.messages.rows import FORMAT as ROWS
from turnwise.conversations.formats.messages.sharegpt import FORMAT as SHAREGPT
from turnwise.conversations.formats.messages.sharegpt import case_of_sharegpt, is_sharegpt

__all__ = [
    "ANTHROPIC_MESSAGES",
    "BATCHES",
    "CANDIDATES",
    "MESSAGE",
    "OPENAI_CHAT",
    "ROWS",
    "SHAREGPT",
    "Fields",
    "OpenCalls",
    "account",
    "case_of_record",
    "case_of_sharegpt",
    "chat_forms",
    "check_speakers",
    "check_words",
    "contents_of",
    "is_any_message",
    "is_message",
    "is_pair",
    "is_reply_name",
    "is_sharegpt",
    "keep",
    "reply_in",
    "request_in",
    "system_in",
    "turns_of",
    "without",
    "written",
]
