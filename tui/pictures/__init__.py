"""Pictures that a session was judged with, as a terminal can show them."""
