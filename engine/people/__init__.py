"""What people say of conversations, and how far metrics and judges agree with them."""
