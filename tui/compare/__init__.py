"""Two runs side by side, and the two transcripts of a pair."""
