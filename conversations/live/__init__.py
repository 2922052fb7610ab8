"""What comes in while it happens: files that programs write, and spans that they send.

follower = Follower(store, [Path("chats.jsonl")], FollowOptions())
for taken in follower.look():
    ...
"""

from turnwise.conversations.live.following import Follower, FollowOptions, Taken
from turnwise.conversations.live.kept_file import KeptFile
from turnwise.conversations.live.loopback import (
    LOOPBACK,
    LoopbackServer,
    bound_socket,
    names_loopback,
    new_token,
    require_packages,
)
from turnwise.conversations.live.receiver import USUAL_PORT, Received, Receiver
from turnwise.conversations.live.span_spool import SpanSpool
from turnwise.conversations.live.spans_taken_in import TakenSpans

__all__ = [
    "LOOPBACK",
    "USUAL_PORT",
    "FollowOptions",
    "Follower",
    "KeptFile",
    "LoopbackServer",
    "Received",
    "Receiver",
    "SpanSpool",
    "Taken",
    "TakenSpans",
    "bound_socket",
    "names_loopback",
    "new_token",
    "require_packages",
]
