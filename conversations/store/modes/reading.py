"""What is read of failure modes: their states, history, rates, and the notes they come from."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

from turnwise.conversations.store.facts.groups import Grouping, grouping
from turnwise.conversations.store.keeping.standing_labels import NEWEST_LABELS
from turnwise.conversations.store.modes.rows import (
    AssignedMode,
    ChangeWord,
    FailureMode,
    ModeDone,
    ModeEvent,
    ModeRate,
    NoteRow,
    SessionModeRow,
)
from turnwise.conversations.store.modes.standing import (
    GIVEN,
    STANDING,
    UNGIVEN,
    WITHDRAWN,
    newest_states,
    root_of,
)

_BY_OTHERS = f"SELECT mode_id FROM {GIVEN} WHERE session_id = ? AND author <> ?"  # noqa: S608
_GIVERS = f"""SELECT DISTINCT session_id, mode_id, author FROM {GIVEN}
    WHERE session_id IN (SELECT value FROM json_each(?))"""  # noqa: S608
_NOTE_STANDS = """l.note <> '' AND NOT EXISTS (SELECT 1 FROM labels n WHERE n.session_id = l.session_id
    AND n.author = l.author AND n.metric = l.metric AND n.id > l.id
    AND (l.metric = '' OR n.turn IS l.turn))"""
_NOTE_AUTHORS = f"""SELECT l.session_id, l.author FROM labels l
    WHERE l.session_id IN (SELECT value FROM json_each(?)) AND {_NOTE_STANDS}"""  # noqa: S608
_TOGETHER = Grouping("", "SELECT id AS session_id, NULL AS part FROM sessions")


def all_modes(connection: sqlite3.Connection) -> dict[int, FailureMode]:
    """Return every mode there ever was, by its number; their sessions are not counted."""
    first = {
        row["mode_id"]: row
        for row in connection.execute(
            "SELECT s.mode_id, c.author, c.created_at, c.proposed_by FROM mode_states s "
            "JOIN mode_changes c ON c.id = s.change_id ORDER BY s.id DESC"
        )
    }
    return {
        mode_id: FailureMode(
            id=mode_id,
            name=row["name"],
            definition=row["definition"],
            author=first[mode_id]["author"],
            created_at=first[mode_id]["created_at"],
            merged_into=row["merged_into"],
            retired=bool(row["retired"]),
            proposed_by=first[mode_id]["proposed_by"],
        )
        for mode_id, row in newest_states(connection).items()
    }


def merges_of(modes: Mapping[int, FailureMode]) -> dict[int, int | None]:
    """Return what each mode was merged into."""
    return {mode.id: mode.merged_into for mode in modes.values()}


def members_of(modes: Mapping[int, FailureMode]) -> dict[int, tuple[int, ...]]:
    """Return, per mode, the modes that count as it, itself among them."""
    merges = merges_of(modes)
    members: dict[int, list[int]] = {}
    for mode_id in modes:
        members.setdefault(root_of(mode_id, merges), []).append(mode_id)
    return {root: tuple(found) for root, found in members.items()}


def _parts(groups: Grouping, among: Collection[int] | None) -> tuple[str, tuple[object, ...]]:
    """Return what selects the sessions that count, each with its groups, and its values."""
    part, values = f"({groups.sql})", tuple(groups.values)
    if among is None:
        return part, values
    part = f"(SELECT * FROM {part} WHERE session_id IN (SELECT value FROM json_each(?)))"  # noqa: S608
    return part, (*values, json.dumps(list(among)))


def _reviewed(
    connection: sqlite3.Connection, found: str, groups: Grouping, among: Collection[int] | None
) -> dict[str | None, int]:
    """Return how many sessions of each group people reviewed. found: what makes the table of that name."""
    part, values = _parts(groups, among)
    rows = connection.execute(
        f"{found} SELECT p.part, count(*) AS sessions FROM (SELECT session_id FROM found UNION "  # noqa: S608
        f"SELECT l.session_id FROM {NEWEST_LABELS} l WHERE l.label IN ('pass', 'fail')) r "
        f"JOIN {part} p USING (session_id) GROUP BY p.part",
        values,
    )
    return {row["part"]: row["sessions"] for row in rows}


def mode_rates(
    connection: sqlite3.Connection,
    by: str | None = None,
    *,
    among: Collection[int] | None = None,
    counted_only: bool = False,
) -> list[ModeRate]:
    """Return how often each mode occurs; see FailureModeTable.rates. counted_only: `reviewed` stays 0.

    A group that holds all that was reviewed, such as a tag that every session has, parts nothing: it is left
    out where there are others.
    """
    states = newest_states(connection)
    merges = {mode_id: row["merged_into"] for mode_id, row in states.items()}
    active = {
        mode_id: root
        for mode_id in states
        if not states[root := root_of(mode_id, merges)]["retired"] and states[root]["merged_into"] is None
    }
    if not active:
        return []
    # Numbers of ours, so that they may stand in the SQL; there are a few dozen.
    members = ", ".join(f"({mode_id}, {root})" for mode_id, root in active.items())
    found = (
        f"WITH members (mode_id, root) AS (VALUES {members}), "  # noqa: S608
        f"found AS (SELECT DISTINCT m.root, a.session_id FROM {STANDING} a JOIN members m USING (mode_id)) "
    )
    groups = grouping(by) if by else _TOGETHER
    part, values = _parts(groups, among)
    counts = connection.execute(
        f"{found} SELECT f.root, p.part, count(*) AS sessions FROM found f JOIN {part} p USING (session_id) "  # noqa: S608
        "GROUP BY f.root, p.part",
        values,
    ).fetchall()
    reviewed = {} if counted_only else _reviewed(connection, found, groups, among)
    whole: set[str | None] = set()
    if len(reviewed) > 1:
        [everything] = _reviewed(connection, found, _TOGETHER, among).values()
        whole = {group for group, count in reviewed.items() if count == everything}
        whole = whole if len(whole) < len(reviewed) else set()
    rates = [
        ModeRate(
            row["root"],
            states[row["root"]]["name"],
            row["part"],
            row["sessions"],
            reviewed.get(row["part"], 0),
        )
        for row in counts
        if row["part"] not in whole
    ]
    if by is None:
        there = {rate.mode_id for rate in rates}
        rates += [
            ModeRate(root, states[root]["name"], None, 0, reviewed.get(None, 0))
            for root in dict.fromkeys(active.values())
            if root not in there
        ]
    totals: dict[int, int] = {}
    for rate in rates:
        totals[rate.mode_id] = totals.get(rate.mode_id, 0) + rate.sessions
    return sorted(
        rates,
        key=lambda rate: (-totals[rate.mode_id], rate.name.casefold(), -rate.share, rate.group or ""),
    )


def modes_of_reviewed(connection: sqlite3.Connection) -> list[frozenset[int]]:
    """Return the modes of every reviewed session; see FailureModeTable.of_reviewed."""
    states = newest_states(connection)
    merges = {mode_id: row["merged_into"] for mode_id, row in states.items()}
    rows = connection.execute(
        "SELECT session_id, NULL AS mode_id, created_at AS at FROM labels "  # noqa: S608
        "WHERE metric = '' AND label IN ('pass', 'fail') UNION ALL "
        "SELECT a.session_id, a.mode_id, c.created_at FROM "
        f"{STANDING} a JOIN mode_changes c ON c.id = a.change_id ORDER BY at, session_id"
    )
    found: dict[int, set[int]] = {}
    for row in rows:
        given = found.setdefault(row["session_id"], set())
        if row["mode_id"] is not None:
            root = root_of(row["mode_id"], merges)
            if not states[root]["retired"] and states[root]["merged_into"] is None:
                given.add(root)
    return [frozenset(given) for given in found.values()]


def modes_of_session(connection: sqlite3.Connection, session_id: int) -> list[AssignedMode]:
    """Return the failure modes of a session, in the order they were given."""
    rows = connection.execute(
        f"SELECT mode_id, turn, author, created_at FROM {GIVEN} WHERE session_id = ? ORDER BY id",  # noqa: S608
        [session_id],
    ).fetchall()
    # An export asks this of every session, and most have none.
    if not rows:
        return []
    modes = all_modes(connection)
    merges = merges_of(modes)
    found: dict[int, AssignedMode] = {}
    for row in rows:
        mode = modes[root_of(row["mode_id"], merges)]
        if mode.active:
            # Of several people and modes that count as this one, the newest says the turn.
            before = found.pop(mode.id, None)
            givers = dict.fromkeys((*(before.givers if before else ()), row["author"]))
            found[mode.id] = AssignedMode(
                mode.id, mode.name, row["turn"], row["author"], row["created_at"], tuple(givers)
            )
    return list(found.values())


def without_own(
    connection: sqlite3.Connection, session_id: int, members: Collection[int], author: str
) -> list[tuple[int, bool, int | None]]:
    """Return what remains of a session's modes once an author takes back their own: the mode, whether it
    stands by others, and the turn that they gave, or else the author's. members: the modes that are meant.
    """
    given: dict[int, dict[str, int | None]] = {}
    for row in connection.execute(
        f"SELECT mode_id, author, turn FROM {GIVEN} WHERE session_id = ? ORDER BY id",  # noqa: S608
        [session_id],
    ):
        if row["mode_id"] in members:
            by = given.setdefault(row["mode_id"], {})
            by.pop(row["author"], None)
            by[row["author"]] = row["turn"]
    left: list[tuple[int, bool, int | None]] = []
    for mode_id, by in given.items():
        if author in by:
            own = by.pop(author)
            left.append((mode_id, bool(by), next(reversed(by.values()), own)))
    return left


def modes_by_others(connection: sqlite3.Connection, session_id: int, author: str) -> set[int]:
    """Return the modes of a session that others than this author gave, and that nobody took away since."""
    merges = merges_of(all_modes(connection))
    rows = connection.execute(_BY_OTHERS, (session_id, author))
    return {root_of(row["mode_id"], merges) for row in rows}


def modes_done(connection: sqlite3.Connection, session_id: int, author: str) -> list[ModeDone]:
    """Return what an author did about the modes of a session; see FailureModeTable.done_by."""
    rows = connection.execute(
        f"SELECT a.mode_id, a.turn, a.assigned AND NOT {WITHDRAWN} AND NOT {UNGIVEN} AS given, "  # noqa: S608
        "c.author, c.created_at FROM mode_assignments a JOIN mode_changes c ON c.id = a.change_id "
        "WHERE a.session_id = ? AND (c.author = ? OR NOT a.assigned) ORDER BY a.id",
        [session_id, author],
    ).fetchall()
    modes = all_modes(connection) if rows else {}
    merges = merges_of(modes)
    done: list[ModeDone] = []
    for row in rows:
        mode = modes[root_of(row["mode_id"], merges)]
        if mode.active:
            by = row["author"]
            assigned = AssignedMode(mode.id, mode.name, row["turn"], by, row["created_at"], (by,))
            done.append(ModeDone(assigned, bool(row["given"])))
    return done


def session_history(connection: sqlite3.Connection, session_id: int) -> list[SessionModeRow]:
    """Return all that was given to a session and taken from it, oldest first."""
    rows = connection.execute(
        f"SELECT a.id, a.mode_id, a.assigned, a.turn, c.author, c.created_at, {WITHDRAWN} AS withdrawn "  # noqa: S608
        "FROM mode_assignments a JOIN mode_changes c ON c.id = a.change_id "
        "WHERE a.session_id = ? ORDER BY a.id",
        [session_id],
    ).fetchall()
    modes = all_modes(connection) if rows else {}
    merges = merges_of(modes)
    return [
        SessionModeRow(
            row["id"],
            session_id,
            modes[root_of(row["mode_id"], merges)].name,
            bool(row["assigned"]) and not row["withdrawn"],
            row["turn"],
            row["author"],
            row["created_at"],
            stays=bool(row["assigned"] and row["withdrawn"]),
        )
        for row in rows
    ]


def mode_history(connection: sqlite3.Connection, mode_id: int) -> list[ModeEvent]:
    """Return all that happened to a mode, oldest first."""
    states = connection.execute(
        "SELECT s.*, c.what, c.author, c.created_at, into_state.name AS into_name FROM mode_states s "
        "JOIN mode_changes c ON c.id = s.change_id "
        "LEFT JOIN mode_states into_state ON into_state.id = (SELECT max(i.id) FROM mode_states i "
        "    WHERE i.mode_id = s.merged_into AND i.id <= s.id) "
        "WHERE s.mode_id = ? OR s.mode_id IN (SELECT mode_id FROM mode_states WHERE merged_into = ?) "
        "ORDER BY s.id",
        [mode_id, mode_id],
    ).fetchall()
    events: list[tuple[int, ModeEvent]] = []
    before: dict[int, Any] = {}
    for row in states:
        earlier = before.get(row["mode_id"])
        before[row["mode_id"]] = row
        said = _said(row, earlier) if row["mode_id"] == mode_id else _taken_in(row, earlier, mode_id)
        events += [(row["change_id"], _event(row, what, text)) for what, text in said]
    assigned = connection.execute(
        f"SELECT a.change_id, a.assigned AND NOT {WITHDRAWN} AS given, count(*) AS sessions, "  # noqa: S608
        "c.what, c.author, c.created_at "
        "FROM mode_assignments a JOIN mode_changes c ON c.id = a.change_id WHERE a.mode_id = ? "
        "GROUP BY a.change_id, given",
        [mode_id],
    )
    for row in assigned:
        what: ChangeWord = "assigned" if row["given"] else "taken away"
        events.append((row["change_id"], _event(row, what, "", row["sessions"])))
    return [event for _, event in sorted(events, key=lambda one: one[0])]


def _event(row: Any, what: ChangeWord, text: str, sessions: int = 0) -> ModeEvent:
    again = cast('Literal["undo", "redo"]', row["what"]) if row["what"] in ("undo", "redo") else ""
    return ModeEvent(row["created_at"], row["author"], what, text, sessions, again)


def _said(row: Any, before: Any) -> list[tuple[ChangeWord, str]]:
    """Return what a state of a mode says that the one before did not."""
    if before is None:
        return [("added", row["name"])]
    said: list[tuple[ChangeWord, str]] = []
    if row["name"] != before["name"]:
        said.append(("renamed", row["name"]))
    if row["definition"] != before["definition"]:
        said.append(("defined", row["definition"]))
    if row["merged_into"] != before["merged_into"] and row["merged_into"] is not None:
        said.append(("merged", row["into_name"] or ""))
    out, was_out = (bool(one["retired"] or one["merged_into"]) for one in (row, before))
    if row["retired"] and not before["retired"]:
        said.append(("retired", ""))
    if was_out and not out:
        said.append(("restored", ""))
    return said


def _taken_in(row: Any, before: Any, mode_id: int) -> list[tuple[ChangeWord, str]]:
    if row["merged_into"] == mode_id and (before is None or before["merged_into"] != mode_id):
        return [("took in", row["name"])]
    return []


def mode_notes(connection: sqlite3.Connection, *, uncoded: bool, limit: int) -> list[NoteRow]:
    """Return the notes that stand, newest first; see FailureModeTable.notes."""
    states = newest_states(connection)
    merges = {mode_id: row["merged_into"] for mode_id, row in states.items()}
    rows = connection.execute(
        f"""
        SELECT l.id, l.session_id, s.name, l.note, l.author, l.created_at, l.label, l.turn,
            (SELECT group_concat(a.mode_id) FROM {STANDING} a WHERE a.session_id = l.session_id) AS modes
        FROM labels l JOIN sessions s ON s.id = l.session_id WHERE {_NOTE_STANDS} ORDER BY l.id DESC""",  # noqa: S608
    )
    notes: list[NoteRow] = []
    for row in rows:
        roots = dict.fromkeys(root_of(int(one), merges) for one in (row["modes"] or "").split(",") if one)
        names = tuple(
            states[root]["name"]
            for root in roots
            if not states[root]["retired"] and states[root]["merged_into"] is None
        )
        if uncoded and names:
            continue
        notes.append(
            NoteRow(
                label_id=row["id"],
                session_id=row["session_id"],
                session=row["name"],
                note=row["note"],
                author=row["author"],
                created_at=row["created_at"],
                label=row["label"],
                turn=row["turn"],
                modes=names,
            )
        )
        if len(notes) == limit:
            break
    named = {mode_id: states[root_of(mode_id, merges)]["name"] for mode_id in states}
    return _telling(connection, notes, named)


def _telling(
    connection: sqlite3.Connection, notes: Sequence[NoteRow], named: Mapping[int, str]
) -> list[NoteRow]:
    """Return notes with the failure modes that each tells of, and with those of others.

    named: as what each mode counts.
    """
    sessions = json.dumps(list({note.session_id for note in notes if note.modes}))
    authors: dict[int, set[str]] = {}
    for session_id, author in connection.execute(_NOTE_AUTHORS, [sessions]):
        authors.setdefault(session_id, set()).add(author)
    givers: dict[tuple[int, str], set[str]] = {}
    for session_id, mode_id, author in connection.execute(_GIVERS, [sessions]):
        givers.setdefault((session_id, named[mode_id]), set()).add(author)

    def of_others(note: NoteRow, mode: str) -> str:
        """Return who gave a mode of which the note does not tell; empty where it does."""
        wrote = givers.get((note.session_id, mode), set()) & authors.get(note.session_id, set())
        return "" if note.author in wrote else ", ".join(sorted(wrote))

    found = []
    for note in notes:
        by = [(mode, of_others(note, mode)) for mode in note.modes]
        told = tuple(mode for mode, who in by if not who)
        found.append(replace(note, told=told, others=tuple(one for one in by if one[1])))
    return found
