"""The SQL of the tables, as each migration makes or changes them; `schema.py` says what they hold.

What stands here was run on databases that people keep: a change is a new script, never an edit.
"""
