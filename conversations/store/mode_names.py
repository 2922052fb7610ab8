"""Names of failure modes: what a name may be, when two are the same, and which was meant."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.texts import mend_text

LONGEST_NAME = 60
NO_MODE = "none"
"""What the filter calls sessions without a failure mode; no mode may be called so."""


def same(one: str, other: str) -> bool:
    """Whether two names mean the same mode: case and spaces make no difference."""
    return _plain(one) == _plain(other)


def checked_name(name: str) -> str:
    """Return a name as it is kept, on one line and safe to edit. Raises SettingError."""
    plain = make_safe_line(" ".join(mend_text(name).split()))
    if not plain:
        raise SettingError(
            "A failure mode needs a name", next_step="A few words: asks again for what it was told"
        )
    if len(plain) > LONGEST_NAME:
        raise SettingError(
            f"The name is longer than {LONGEST_NAME} characters",
            detail=plain,
            next_step="Keep the name short; the definition says the rest.",
        )
    if set('"<>') & set(plain) or _plain(plain) == NO_MODE:
        raise SettingError(
            f"A failure mode cannot be called {plain}",
            next_step='Leave out ", < and >, and do not call it "none": the filter needs them.',
        )
    return plain


def checked_definition(definition: str) -> str:
    """Return a definition as it is kept, on one line. Raises SettingError where it is empty."""
    plain = make_safe_line(" ".join(mend_text(definition).split()))
    if not plain:
        raise SettingError(
            "A failure mode needs a definition",
            next_step="One sentence that says when it applies, so that two people would agree.",
        )
    return plain


def unknown_mode(name: str, known: Sequence[str], *, several: bool = False) -> NotFoundError:
    """Return the error for a name that no mode has, or that several may mean."""
    if several:
        return NotFoundError(
            f"{name} could be {' or '.join(sorted(known))}", next_step="Write more of the name."
        )
    near = difflib.get_close_matches(_plain(name), [_plain(one) for one in known], n=1)
    return NotFoundError(
        f"There is no failure mode called {name}",
        detail=f"Known: {', '.join(known)}" if known else "",
        next_step=f"Did you mean {near[0]}?"
        if near
        else "`turnwise modes` lists them; `turnwise modes add` makes one.",
    )


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()
