"""A judge's trial: pairs that differ in one thing, and the certificate that is kept."""
