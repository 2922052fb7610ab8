"""What every screen may ask for: the app as a protocol, and the run under way."""
