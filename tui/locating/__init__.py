"""Where a conversation was lost: what it takes to find it, and what was found."""
