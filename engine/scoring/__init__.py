"""The road from cases to outcomes: what is to be judged, asking for it, and keeping what came."""
