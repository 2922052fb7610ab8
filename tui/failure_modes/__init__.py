"""From notes to named failure modes to a table of rates."""
