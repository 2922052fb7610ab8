"""The workbench for criteria: writing, trying and comparing versions."""
