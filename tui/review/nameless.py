"""Nameless: what people said of a session, as that of "person 1" and "person 2" while their names are hidden.

What people differ on is settled without their names; once it is settled, who they are is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from turnwise.conversations.store import AssignedMode, LabelRow
from turnwise.engine.people.adjudicating import without_names

ANOTHER = "another"
"""Who said what does not count for what is settled, and so is none of those who differ."""


def persons_of(rows: Sequence[LabelRow]) -> Mapping[str, str]:
    """Return what each of those who differ on a session is called, by their names. rows: oldest first."""
    return {row.author: person for person, row in without_names(rows).items()}


def nameless_labels(rows: Sequence[LabelRow], persons: Mapping[str, str], author: str) -> list[LabelRow]:
    """Return labels with the names hidden of all but this author."""
    return [
        row if row.author == author else replace(row, author=persons.get(row.author, ANOTHER)) for row in rows
    ]


def nameless_modes(
    modes: Sequence[AssignedMode], persons: Mapping[str, str], author: str
) -> list[AssignedMode]:
    """Return failure modes with the names hidden of all but this author."""

    def called(name: str) -> str:
        return name if name == author else persons.get(name, ANOTHER)

    return [
        replace(one, author=called(one.author), givers=tuple(called(giver) for giver in one.givers))
        for one in modes
    ]
