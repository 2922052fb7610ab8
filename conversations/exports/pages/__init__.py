"""The page that plays conversations in a browser, without a server; and the same page to label a queue on.

`page.html`, `page.css` and the scripts are its parts, and `replay_page` puts them together with the data.
"""

from __future__ import annotations

from turnwise.conversations.exports.pages.page_sessions import seen_identity
from turnwise.conversations.exports.pages.replay_page import LabelledQueue, write, write_queue

__all__ = ["LabelledQueue", "seen_identity", "write", "write_queue"]
