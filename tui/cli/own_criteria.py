"""A name that no metric has may be that of a criterion that users wrote themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.conversations.safe_text import make_safe_line

if TYPE_CHECKING:
    from turnwise.conversations.errors import NotFoundError
    from turnwise.conversations.store import Store


def pointing_to_own(error: NotFoundError, name: str, store: Store | None) -> NotFoundError:
    """Return the error of an unknown metric; where a criterion has about that name, it says how that judges.

    Looked for are the criteria in files here, and those that were tried. store: where these are, if anywhere.
    """
    from turnwise.conversations.words import A_SLIP
    from turnwise.engine.criteria.criteria_files import find_criteria
    from turnwise.engine.metrics.metric_names import meant_metric, near_name

    files = {one.criterion.name: str(one.path) for one in find_criteria(Path()).files}
    names = [
        *files,
        *(one for one in (store.criteria.names() if store is not None else ()) if one not in files),
    ]
    close = near_name(name, names, alike=A_SLIP)
    found = meant_metric(name, names) or ([close] if close is not None else [])
    if found:
        own = make_safe_line(found[0])
        file = files.get(found[0])
        how = (
            f"--criteria {file}"
            if file is not None
            else "save it to a file in the app (5), then --criteria FILE"
        )
        error.next_step = f"“{own}” is a criterion of yours: {how}"
    return error
