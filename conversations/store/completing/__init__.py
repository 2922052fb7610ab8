"""What completes a filter that is being typed."""
