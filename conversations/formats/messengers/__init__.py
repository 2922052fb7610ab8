"""Chats of people of whom one is a chatbot: the file says who, or whoever imports it (`--assistant`)."""

from turnwise.conversations.formats.format import Format
from turnwise.conversations.formats.messengers import (
    discord,
    mail,
    slack,
    subtitles,
    teams,
    telegram,
    whatsapp,
)

MESSENGERS: tuple[Format, ...] = (
    slack.FORMAT,
    telegram.FORMAT,
    discord.FORMAT,
    teams.FORMAT,
    whatsapp.FORMAT,
    subtitles.FORMAT,
    mail.FORMAT,
)

__all__ = ["MESSENGERS"]
