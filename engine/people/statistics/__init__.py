"""Statistics: how well scores and people agree, with intervals, on plain lists of numbers."""
