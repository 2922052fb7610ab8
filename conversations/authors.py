"""Authors: under which name a person's labels are kept where none was given."""

from __future__ import annotations

import getpass

UNKNOWN = "reviewer"
"""Who labels where the system has no name for the user."""


def default_author() -> str:
    """Return the name that the operating system knows the user by."""
    try:
        return getpass.getuser().strip() or UNKNOWN
    # Python 3.13 made one error of the two.
    except (OSError, KeyError):
        return UNKNOWN
