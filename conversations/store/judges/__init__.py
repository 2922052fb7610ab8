"""What the database knows of judges beside their calls: the certificates of their trials."""
