"""The checks on an answer, one family a module; each is a function of a Check and an Answer."""
