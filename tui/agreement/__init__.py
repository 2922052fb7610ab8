"""Each metric against people's labels."""
