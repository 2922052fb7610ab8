"""The criterion behind a score: the version that was tried or saved, or the one in a file of the folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from turnwise.conversations.errors import FormatError
from turnwise.conversations.store import ScoreRow, Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criteria_files import find_criteria
from turnwise.engine.criteria.criterion_versions import criterion_of


def criterion_behind(store: Store, row: ScoreRow, folder: Path) -> Criterion | None:
    """Return the criterion that an outcome was judged by; None where a metric of another kind found it.

    Of those that differ in their threshold alone it is the one of the file, else the newest.
    """
    judged_by = store.scores.identity(row.id).metric_fingerprint
    known = _known(store, row.metric, folder)
    return next((one for one in known if one.metric().fingerprint == judged_by), None)


def _known(store: Store, name: str, folder: Path) -> Iterator[Criterion]:
    yield from (one.criterion for one in find_criteria(folder).files if one.criterion.name == name)
    for version in reversed(store.criteria.versions(name)):
        try:
            yield criterion_of(version)
        except FormatError:
            # One that a later turnwise wrote is no reason not to look at the others.
            continue
