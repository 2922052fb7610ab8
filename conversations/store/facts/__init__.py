"""Facts: what a session says of itself beside its words, kept so that filters find it among many."""
