"""What the numbered places have in common: the line that names them, and how they are left."""
