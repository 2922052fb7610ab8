"""What was begun and is not in yet: findings that wait for a locked database, and files that come in."""
