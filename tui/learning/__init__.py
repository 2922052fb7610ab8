"""What labels teach: signals that are learned, measured and kept, and the dialog for them."""
