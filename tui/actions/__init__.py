"""Actions: what the keys of every screen do, and all that is made from that."""

from turnwise.tui.actions.action import MOVES, Action, Place, aimed, digits_to, is_digits, written
from turnwise.tui.actions.registry import (
    ACTIONS,
    FOCUS,
    OTHER_KEY,
    Table,
    as_it_is,
    binding_ids,
    bindings,
    line_of_keys,
    needs_sessions,
    target_of,
)

__all__ = [
    "ACTIONS",
    "FOCUS",
    "MOVES",
    "OTHER_KEY",
    "Action",
    "Place",
    "Table",
    "aimed",
    "as_it_is",
    "binding_ids",
    "bindings",
    "digits_to",
    "is_digits",
    "line_of_keys",
    "needs_sessions",
    "target_of",
    "written",
]
