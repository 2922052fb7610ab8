"""What is counted over many sessions: by the values of a column, by label, by run."""
