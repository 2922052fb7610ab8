"""The demo: a database that shows a problem worth finding, and a tour that leads there."""
