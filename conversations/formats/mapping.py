"""What --map says: names of a file for the roles of speakers and for the columns of a table."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from turnwise.conversations.errors import SettingError
from turnwise.conversations.formats.speakers import ROLES

FIELDS = ("id", "role", "content", "time", "order")
"""What columns of a table may be, beside roles."""
_EXAMPLE = "For example: --map id=chat_id,role=sender,content=text, or --map user=Anna,assistant=Bot"


def read_mapping(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the names by role or field that texts such as `user=Anna,assistant=Bot` say, in order.

    A role may be given several times, for several speakers. Raises SettingError for what is no such text.
    """
    names: dict[str, tuple[str, ...]] = {}
    for pair in (pair for text in texts for pair in text.split(",")):
        key, mark, name = (part.strip() for part in pair.partition("="))
        if not (key and mark and name):
            raise SettingError(
                f"--map takes pairs KEY=NAME, parted by commas, and not {pair.strip() or 'nothing'}",
                next_step=_EXAMPLE,
            )
        if key not in (*ROLES, *FIELDS):
            near = difflib.get_close_matches(key, (*ROLES, *FIELDS), n=1)
            raise SettingError(
                f"--map knows no {key}",
                detail=f"Known: {', '.join((*ROLES, *FIELDS))}.",
                next_step=f"Did you mean {near[0]}?" if near else _EXAMPLE,
            )
        if key in FIELDS and key in names:
            raise SettingError(f"--map says {key} more than once", next_step=_EXAMPLE)
        names[key] = (*names.get(key, ()), name)
    return names
