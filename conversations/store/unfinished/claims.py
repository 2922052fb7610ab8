"""Claims: which run is about to judge what, so that several runs on one database do each thing once.

A run that lives renews its lease every few seconds. One whose lease ran out is given a moment to do so: a
program that held the write lock may have kept it from that. Then what it claimed is free for others. Where
its process is known to be dead, that is so at once.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Sequence

from turnwise.conversations.store.database import Database
from turnwise.conversations.store.scores import Identity
from turnwise.conversations.store.unfinished.processes import is_dead, this_process

LEASE_SECONDS = 8.0
"""For so long a run counts as living since it last said so."""
GRACE_SECONDS = 3.0
"""For so long a lease that ran out is left alone after somebody met it."""
_AT_ONCE = 500


def new_owner() -> str:
    """Return a name for a run that claims, which tells the process that it runs in."""
    return f"{secrets.token_hex(16)} {this_process()}".strip()


def claim_of(identity: Identity) -> str:
    """Return the name under which a unit is claimed."""
    session_id, exchange, *prints = identity.key
    return " ".join((f"{session_id}/{'' if exchange is None else exchange}", *prints))


class ClaimTable:
    """The claims on one database. clock: seconds since 1970."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def take(self, owner: str, names: Sequence[str]) -> set[str]:
        """Claim what is free, and return what of these is the owner's now. Its lease begins anew."""
        with self._database.writing() as connection:
            self._end_leases()
            self.renew(owner)
            held = self._held(names)
            connection.executemany(
                "INSERT INTO claims (name, owner) VALUES (?, ?)",
                [(name, owner) for name in dict.fromkeys(names) if name not in held],
            )
        return {name for name in names if held.get(name, owner) == owner}

    def renew(self, owner: str) -> None:
        """Let an owner's lease begin anew."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO claimants (owner, lease_ends) VALUES (?, ?) ON CONFLICT (owner) "
                "DO UPDATE SET lease_ends = excluded.lease_ends, met_late_at = NULL",
                [owner, self._clock() + LEASE_SECONDS],
            )

    def give_back(self, owner: str, names: Sequence[str]) -> bool:
        """Let go of what is done, and return whether all of it was still the owner's."""
        with self._database.writing() as connection:
            given = connection.executemany(
                "DELETE FROM claims WHERE name = ? AND owner = ?", [(name, owner) for name in names]
            )
            return given.rowcount >= len(names)

    def end(self, names: Sequence[str]) -> None:
        """Let go of what is done, whoever claimed it."""
        with self._database.writing() as connection:
            connection.executemany("DELETE FROM claims WHERE name = ?", [(name,) for name in names])

    def leave(self, owner: str) -> None:
        """Let go of all that an owner claimed, as its run is over."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM claimants WHERE owner = ?", [owner])

    def may_be_free(self, names: Iterable[str]) -> set[str]:
        """Return what of these is claimed by nobody, or by a run that is dead or whose lease ran out.

        Nothing is written.
        """
        names = list(names)
        now = self._clock()
        late = {
            row["owner"]
            for row in self._database.connection.execute("SELECT owner, lease_ends FROM claimants")
            if not _lives(row["lease_ends"], now) or _is_dead(row["owner"])
        }
        held = self._held(names)
        return {name for name in names if name not in held or held[name] in late}

    def _held(self, names: Sequence[str]) -> dict[str, str]:
        """Return who claims what of these."""
        held: dict[str, str] = {}
        for start in range(0, len(names), _AT_ONCE):
            part = names[start : start + _AT_ONCE]
            rows = self._database.connection.execute(
                f"SELECT name, owner FROM claims WHERE name IN ({', '.join('?' * len(part))})",  # noqa: S608
                part,
            )
            held |= {row["name"]: row["owner"] for row in rows}
        return held

    def _end_leases(self) -> None:
        """End what the dead left, and what ran out and was met so before; note when others were met first."""
        connection, now = self._database.connection, self._clock()
        for row in connection.execute("SELECT owner, lease_ends, met_late_at FROM claimants").fetchall():
            if _is_dead(row["owner"]):
                connection.execute("DELETE FROM claimants WHERE owner = ?", [row["owner"]])
                continue
            if _lives(row["lease_ends"], now):
                continue
            met = row["met_late_at"]
            # A clock that was set back must not keep a claim for ever.
            if met is None or met > now:
                connection.execute(
                    "UPDATE claimants SET met_late_at = ? WHERE owner = ?", [now, row["owner"]]
                )
            elif now - met >= GRACE_SECONDS:
                connection.execute("DELETE FROM claimants WHERE owner = ?", [row["owner"]])


def _is_dead(owner: str) -> bool:
    return is_dead(owner.partition(" ")[2])


def _lives(lease_ends: float, now: float) -> bool:
    # A lease that ends later than any can was given before the clock was set back.
    return now < lease_ends <= now + LEASE_SECONDS
