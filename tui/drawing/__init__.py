"""What draws text and lists line by line, so that a key changes only the rows that it means."""
