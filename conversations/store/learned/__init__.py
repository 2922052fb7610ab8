"""What was learned from labels."""
