"""Failure modes: named ways to go wrong, and the sessions that have them. Every change is kept.

A mode's newest state stands, and so does the newest assignment of a mode to a session. A mode that was merged
counts as the one it was merged into, at whatever remove; its own rows stay, so that a merge can be undone.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.findings import FoundMode
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.modes.changing import (
    ModeState,
    history_of,
    insert_assignments,
    insert_change,
    insert_state,
    state_of,
    take_back,
)
from turnwise.conversations.store.modes.reading import (
    all_modes,
    members_of,
    merges_of,
    mode_history,
    mode_notes,
    mode_rates,
    modes_by_others,
    modes_done,
    modes_of_reviewed,
    modes_of_session,
    session_history,
    without_own,
)
from turnwise.conversations.store.modes.rows import (
    AssignedMode,
    FailureMode,
    ModeChange,
    ModeDone,
    ModeEvent,
    ModeRate,
    NoteRow,
    SessionModeRow,
    checked_definition,
    checked_name,
    is_same_name,
    unknown_mode,
)
from turnwise.conversations.store.modes.standing import STANDING, mode_groups, newest_states, root_of


class FailureModeTable:
    """The failure modes of one database. Modes are named by their numbers; `find` gives them by name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Reading

    def all(self, *, inactive: bool = False, counted: bool = True) -> list[FailureMode]:
        """Return the modes that can be assigned, those of most sessions first.

        inactive: with those that were merged or retired, after the others. counted: without it the sessions
        are not counted, and the modes come by name.
        """
        connection = self._database.connection
        modes = all_modes(connection)
        rates = mode_rates(connection, counted_only=True) if counted else []
        counts = {rate.mode_id: rate.sessions for rate in rates}
        found = [replace(mode, sessions=counts.get(mode.id, 0)) for mode in modes.values()]
        shown = [mode for mode in found if inactive or mode.active]
        return sorted(shown, key=lambda mode: (not mode.active, -mode.sessions, mode.name.casefold()))

    def get(self, mode_id: int) -> FailureMode:
        """Return a mode, its sessions not counted. Raises NotFoundError."""
        found = all_modes(self._database.connection).get(mode_id)
        if found is None:
            raise NotFoundError(f"There is no failure mode number {mode_id}")
        return found

    def find(self, name: str) -> FailureMode:
        """Return the mode of this name, whatever its case, or of a part of it that no other has.

        The name of one that was merged gives the mode that it counts as now. Raises NotFoundError.
        """
        modes = all_modes(self._database.connection)
        active = [mode for mode in modes.values() if mode.active]
        exact = [mode for mode in active if is_same_name(mode.name, name)]
        merged = [mode for mode in modes.values() if mode.merged_into and is_same_name(mode.name, name)]
        roots = [modes[root_of(mode.id, merges_of(modes))] for mode in reversed(merged)]
        part = name.strip().casefold()
        found = exact or [mode for mode in roots if mode.active][:1]
        found = found or [mode for mode in active if part and part in mode.name.casefold()]
        if len(found) != 1:
            raise unknown_mode(name, [mode.name for mode in found or active], several=bool(found))
        return found[0]

    def groups(self) -> dict[str, tuple[int, ...]]:
        """Return, per name of a mode that can be assigned, the numbers of all modes that count as it."""
        return mode_groups(self._database.connection)

    def of(self, session_id: int) -> list[AssignedMode]:
        """Return the failure modes of a session, in the order they were given."""
        return modes_of_session(self._database.connection, session_id)

    def only_by(self, session_id: int, author: str) -> list[AssignedMode]:
        """Return the failure modes of a session that this author gave, and nobody else."""
        others = modes_by_others(self._database.connection, session_id, author)
        return [one for one in self.of(session_id) if one.author == author and one.mode_id not in others]

    def done_by(self, session_id: int, author: str) -> list[ModeDone]:
        """Return what an author did about the failure modes of a session, oldest first.

        What others took from the session is in it too: it was taken from the author with that.
        """
        return modes_done(self._database.connection, session_id, author)

    def found_in(self, session_id: int) -> list[FoundMode]:
        """Return the failure modes of a session as they go out to a file."""
        given = self.of(session_id)
        modes = all_modes(self._database.connection) if given else {}
        return [
            FoundMode(
                name=one.name,
                definition=modes[one.mode_id].definition,
                author=one.author,
                turn=one.turn,
                at=one.created_at,
            )
            for one in given
        ]

    def history(self, mode_id: int) -> list[ModeEvent]:
        """Return all that happened to a mode, oldest first. Raises NotFoundError."""
        self.get(mode_id)
        return mode_history(self._database.connection, mode_id)

    def given_to(self, session_id: int) -> list[SessionModeRow]:
        """Return all failure modes that were given to a session and taken from it, oldest first."""
        return session_history(self._database.connection, session_id)

    def rates(self, by: str | None = None, *, among: Collection[int] | None = None) -> list[ModeRate]:
        """Return how often each mode occurs, the most frequent first.

        by: within each group where it occurs, by what `grouping` takes, such as role, tag or meta.language;
        None over all sessions, with modes that occur nowhere. among: the sessions that count, None for all.
        Raises SettingError where the grouping means nothing.
        """
        return mode_rates(self._database.connection, by, among=among)

    def notes(self, *, uncoded: bool = False, limit: int = 5_000) -> list[NoteRow]:
        """Return the notes that stand, newest first.

        uncoded: only of sessions without a failure mode. limit: at most so many.
        """
        return mode_notes(self._database.connection, uncoded=uncoded, limit=limit)

    def newest_given(self, limit: int) -> list[int]:
        """Return which mode was given, assignment by assignment, newest first; what was taken is left out."""
        connection = self._database.connection
        merges = merges_of(all_modes(connection))
        rows = connection.execute(f"SELECT mode_id FROM {STANDING} ORDER BY id DESC LIMIT ?", [limit])  # noqa: S608
        return [root_of(row["mode_id"], merges) for row in rows]

    def of_reviewed(self) -> list[frozenset[int]]:
        """Return the modes of each session that was labelled pass or fail or given a mode, those first that
        were reviewed first.
        """
        return modes_of_reviewed(self._database.connection)

    def of_queue(self, queue_id: int) -> list[FailureMode]:
        """Return the modes that sessions of a review queue have, those of most of them first.

        Their `sessions` are those of the queue.
        """
        connection = self._database.connection
        modes = all_modes(connection)
        merges = merges_of(modes)
        rows = connection.execute(
            f"SELECT mode_id, session_id FROM {STANDING} "  # noqa: S608
            "WHERE session_id IN (SELECT session_id FROM queue_items WHERE queue_id = ?)",
            [queue_id],
        )
        given = {(root_of(row["mode_id"], merges), row["session_id"]) for row in rows}
        counts = Counter(mode_id for mode_id, _ in given if modes[mode_id].active)
        found = [replace(modes[mode_id], sessions=count) for mode_id, count in counts.items()]
        return sorted(found, key=lambda mode: (-mode.sessions, mode.name.casefold()))

    # Changing

    def add(self, name: str, definition: str, author: str, *, proposed_by: str = "") -> int:
        """Name a failure mode, and return its number. Raises SettingError where there is one of that name.

        definition: one sentence that says when it applies; empty where it is written later. proposed_by: the
        judge that proposed it.
        """
        state = ModeState(checked_name(name), checked_definition(definition) if definition.strip() else "")
        with self._database.writing() as connection:
            self._refuse_taken(connection, state.name)
            return self._add(connection, state, author, proposed_by=proposed_by)

    def rename(self, mode_id: int, name: str, author: str) -> None:
        """Give a mode another name. Raises SettingError where another mode has it, NotFoundError."""
        name = checked_name(name)
        with self._database.writing() as connection:
            state = self._active_state(connection, mode_id)
            self._refuse_taken(connection, name, but=mode_id)
            self._set(connection, mode_id, state, replace(state, name=name), "rename", author)

    def define(self, mode_id: int, definition: str, author: str) -> None:
        """Give a mode another definition. Raises SettingError, NotFoundError."""
        definition = checked_definition(definition)
        with self._database.writing() as connection:
            state = self._active_state(connection, mode_id)
            self._set(connection, mode_id, state, replace(state, definition=definition), "define", author)

    def change(self, mode_id: int, name: str, definition: str, author: str) -> None:
        """Give a mode a name and a definition in one change, which an undo takes back whole.

        A mode without a definition may stay without one. Raises SettingError where another mode has the name
        or a definition would go, NotFoundError.
        """
        name = checked_name(name)
        with self._database.writing() as connection:
            state = self._active_state(connection, mode_id)
            self._refuse_taken(connection, name, but=mode_id)
            defined = definition.strip() or state.definition
            now = replace(state, name=name, definition=checked_definition(definition) if defined else "")
            what = "rename" if now.name != state.name else "define"
            self._set(connection, mode_id, state, now, what, author)

    def merge(self, mode_id: int, into: int, author: str) -> None:
        """Let a mode count as another one from now on. Raises SettingError, NotFoundError."""
        with self._database.writing() as connection:
            state = self._active_state(connection, mode_id)
            self._active_state(connection, into)
            if mode_id == into:
                raise SettingError("A failure mode cannot be merged into itself")
            self._set(connection, mode_id, state, replace(state, merged_into=into), "merge", author)

    def retire(self, mode_id: int, author: str) -> None:
        """Take a mode out of use; its assignments are kept and count no more. Raises NotFoundError."""
        with self._database.writing() as connection:
            state = self._active_state(connection, mode_id)
            self._set(connection, mode_id, state, replace(state, retired=True), "retire", author)

    def assign(
        self,
        session_ids: Iterable[int],
        mode_id: int,
        author: str,
        *,
        turn: int | Mapping[int, int] | None = None,
        too: bool = False,
    ) -> int:
        """Give sessions a failure mode, in one change; return how many did not have it so yet.

        turn: the turn at which it shows, or that of each session that has one. A session that has the mode
        and gets no turn keeps its own. too: what somebody else gave is given once more, by this author.
        Raises NotFoundError, and SettingError where the mode is out of use.
        """
        with self._database.writing() as connection:
            self._active_state(connection, mode_id)
            standing = self._standing(connection, mode_id)

            def at(session_id: int) -> int | None:
                return turn.get(session_id) if isinstance(turn, Mapping) else turn

            def was(session_id: int) -> int | None:
                return standing[session_id][0][1]

            def is_of_others(session_id: int) -> bool:
                found = (one for one in self.of(session_id) if one.mode_id == mode_id)
                return too and not any(one.is_by(author) for one in found)

            new = [
                session_id
                for session_id in dict.fromkeys(session_ids)
                if session_id not in standing
                or (at(session_id) or was(session_id)) != was(session_id)
                or is_of_others(session_id)
            ]
            if new:
                change = insert_change(connection, "assign", author)
                insert_assignments(connection, change, [(mode_id, one, True, at(one)) for one in new])
        return len(new)

    def unassign(self, session_ids: Iterable[int], mode_id: int, author: str) -> int:
        """Take a failure mode from sessions, whoever gave it, in one change; return how many had it."""
        with self._database.writing() as connection:
            standing = self._standing(connection, mode_id)
            had = [session_id for session_id in dict.fromkeys(session_ids) if session_id in standing]
            if had:
                change = insert_change(connection, "unassign", author)
                rows = [
                    (member, session_id, False, turn)
                    for session_id in had
                    for member, turn in standing[session_id]
                ]
                insert_assignments(connection, change, rows)
        return len(had)

    def withdraw(self, session_ids: Iterable[int], mode_id: int, author: str) -> int:
        """Take back that an author gave sessions a failure mode, in one change; return of how many they did.

        What others gave stands.
        """
        with self._database.writing() as connection:
            members = members_of(all_modes(connection)).get(mode_id, (mode_id,))
            rows = [
                (member, session_id, stays, turn)
                for session_id in dict.fromkeys(session_ids)
                for member, stays, turn in without_own(connection, session_id, members, author)
            ]
            if rows:
                insert_assignments(connection, insert_change(connection, "withdraw", author), rows)
        return len({session_id for _, session_id, _, _ in rows})

    def add_new(self, session_id: int, modes: Iterable[FoundMode], *, at: float) -> int:
        """Keep the failure modes that a file says a session has, and return how many were new to it.

        Modes that are not there yet are named. What was taken from the session here is not given back.
        at: seconds since 1970, for those that do not say when they were given.
        """
        new = 0
        with self._database.writing() as connection:
            for one in modes:
                when = at if one.at is None else one.at
                name = checked_name(one.name)
                known = [mode for mode in all_modes(connection).values() if is_same_name(mode.name, name)]
                known.sort(key=lambda mode: not mode.active)
                mode_id = (
                    known[0].id
                    if known
                    else self._add(
                        connection,
                        ModeState(name, one.definition or "As the file says."),
                        one.author,
                        at=when,
                    )
                )
                ever = connection.execute(
                    "SELECT 1 FROM mode_assignments WHERE session_id = ? AND mode_id = ?",
                    [session_id, mode_id],
                ).fetchone()
                if not ever:
                    change = insert_change(connection, "assign", one.author, at=when)
                    insert_assignments(connection, change, [(mode_id, session_id, True, one.turn)])
                    new += 1
        return new

    # Taking back

    def can_undo(self, author: str) -> bool:
        """Return whether there is a change of the author that stands, to be taken back."""
        return history_of(self._database.connection, author).to_undo is not None

    def undo(self, author: str) -> ModeChange | None:
        """Take back the author's newest change that stands, and return it; None where there is none.

        What somebody changed since stays as it is.
        """
        with self._database.writing() as connection:
            return take_back(connection, author, "undo")

    def redo(self, author: str) -> ModeChange | None:
        """Make the change again that the author undid last; None without one, or after a newer change."""
        with self._database.writing() as connection:
            return take_back(connection, author, "redo")

    # Rows

    def _active_state(self, connection: sqlite3.Connection, mode_id: int) -> ModeState:
        row = newest_states(connection).get(mode_id)
        if row is None:
            raise NotFoundError(f"There is no failure mode number {mode_id}")
        if row["retired"] or row["merged_into"] is not None:
            how = "retired" if row["retired"] else "merged into another one"
            raise SettingError(f"{row['name']} was {how}", next_step="`turnwise modes` lists those in use.")
        return state_of(row)

    def _refuse_taken(self, connection: sqlite3.Connection, name: str, *, but: int | None = None) -> None:
        for mode in all_modes(connection).values():
            if mode.active and mode.id != but and is_same_name(mode.name, name):
                raise SettingError(
                    f"There is a failure mode called {mode.name} already",
                    detail=mode.definition,
                    next_step="Assign that one, merge the two, or take another name.",
                )

    def _add(
        self,
        connection: sqlite3.Connection,
        state: ModeState,
        author: str,
        *,
        proposed_by: str = "",
        at: float | None = None,
    ) -> int:
        change = insert_change(connection, "add", author, proposed_by=proposed_by, at=at)
        mode_id = connection.execute("SELECT coalesce(max(mode_id), 0) + 1 FROM mode_states").fetchone()[0]
        insert_state(connection, change, mode_id, state)
        return int(mode_id)

    def _set(
        self,
        connection: sqlite3.Connection,
        mode_id: int,
        was: ModeState,
        now: ModeState,
        what: str,
        author: str,
    ) -> None:
        if was != now:
            insert_state(connection, insert_change(connection, what, author), mode_id, now)

    def _standing(
        self, connection: sqlite3.Connection, mode_id: int
    ) -> dict[int, list[tuple[int, int | None]]]:
        """Return which sessions have a mode: per session the modes that count as it, each with its turn."""
        members = members_of(all_modes(connection)).get(mode_id, (mode_id,))
        places = ", ".join("?" * len(members))
        found: dict[int, list[tuple[int, int | None]]] = {}
        for row in connection.execute(
            f"SELECT session_id, mode_id, turn FROM {STANDING} a "  # noqa: S608
            f"WHERE mode_id IN ({places}) ORDER BY id DESC",
            members,
        ):
            found.setdefault(row["session_id"], []).append((row["mode_id"], row["turn"]))
        return found
