"""Nameless: what others said of a session, as that of "person 1" and "person 2" while their names are hidden.

What people differ on is settled without their names; once it is settled, they are shown, in the same order.
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
    differing = [row for row in rows if not row.adjudicates]
    return {row.author: person for person, row in without_names(differing).items()}


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


def in_order(others: Mapping[str, LabelRow], differing: Sequence[LabelRow]) -> dict[str, LabelRow]:
    """Return what others say by their names, the newest first, but those who differ as "person 1" and so on.

    differing: all labels of the session, oldest first, where people differ on it; empty elsewhere.
    """
    places = {name: place for place, name in enumerate(persons_of(differing))}
    newest = sorted(others.items(), key=lambda item: -item[1].created_at)
    return dict(sorted(newest, key=lambda item: places.get(item[0], len(places))))


def mode_words(one: AssignedMode, author: str) -> str:
    """Return a failure mode with the turn at which it shows and, where an author did not give it, who did."""
    at = f" at turn {one.turn}" if one.turn else ""
    # Who it is stands first, as the rest may be cut.
    who = "" if one.is_by(author) else f"{one.author}: "
    return f"{who}{one.name}{at}"


def modes_by(name: str, label: LabelRow, modes: Sequence[AssignedMode]) -> list[str]:
    """Return the failure modes that somebody gave, each with its turn where the label tells another one."""
    return [
        one.name if one.turn in (None, label.turn) else f"{one.name} at turn {one.turn}"
        for one in modes
        if one.is_by(name)
    ]
