"""What was begun and is not in yet: claims of runs, findings that wait for a lock, files that come in."""
