"""Two runs, or two targets, side by side."""
