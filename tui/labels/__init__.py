"""What people say of a session, and the keys that say it, drawn beside or under its transcript."""
