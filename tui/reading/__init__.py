"""How transcripts, scores and labels are drawn, wherever they are read."""
