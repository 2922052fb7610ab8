"""Reading one session beside its scores, labelling it, and asking why a score came out as it did."""
