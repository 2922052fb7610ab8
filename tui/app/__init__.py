"""The app itself: what holds on every screen, the help about keys, and how it survives trouble."""
