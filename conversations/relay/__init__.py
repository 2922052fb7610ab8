"""Conversations of programs as they happen: a proxy before a server of models, and what it keeps.

relay = Relay("https://api.openai.com/v1", CallSpool(store.path))
relay.start()
for taken in TakenCalls(store, spool).take_in():
    ...
"""

from turnwise.conversations.relay.call_spool import CallSpool
from turnwise.conversations.relay.program_recording import ProgramRecording, recording
from turnwise.conversations.relay.relay import USUAL_PORT, Relay, Relayed
from turnwise.conversations.relay.sessions_of_calls import TakenCall, TakenCalls

__all__ = [
    "USUAL_PORT",
    "CallSpool",
    "ProgramRecording",
    "Relay",
    "Relayed",
    "TakenCall",
    "TakenCalls",
    "recording",
]
