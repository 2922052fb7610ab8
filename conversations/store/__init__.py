"""The database: sessions, runs, scores, judge calls and labels in one SQLite file."""
