"""What terminals do differently: how wide they draw text, and what some of them can do beside text."""
