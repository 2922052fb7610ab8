"""Learning: signals learned on labels, from what a conversation shows without asking a judge."""
