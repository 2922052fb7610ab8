"""What terminals do differently, and what stands there until the app draws."""
