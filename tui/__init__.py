"""What people touch: the turnwise command and the app."""
