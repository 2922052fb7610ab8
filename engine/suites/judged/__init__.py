"""The checks that a judge answers; each is a coroutine of a Check, an Answer and an Asker."""
