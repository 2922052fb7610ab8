"""Lists of sessions: where their rows come from, how they are drawn, and which of them are taken together."""
