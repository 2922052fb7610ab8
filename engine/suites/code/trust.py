"""Trust: whether the code of one suite may run, by the user's word, remembered by what was run."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import NotFoundError, TurnwiseError
from turnwise.conversations.files import whole_file
from turnwise.conversations.private_files import data_folder, make_private_folder
from turnwise.conversations.store import default_path

_LARGEST_MEMORY = 50_000_000


def untrusted(place: str, what: str, *, changed: bool = False, hidden: str = "") -> NotFoundError:
    """Word that code would run, and that it takes the user's word. what: as in "gen.py (Python)".

    hidden: why not all of it can be seen, so that it is not remembered.
    """
    told = "has changed since it was trusted, and" if changed else "is code, and"
    if hidden:
        told = f"is code that takes --trust each time, as not all of it can be seen ({hidden}):"
    return NotFoundError(
        f"{place.split(',')[0]} needs code to run",
        detail=f"{place}: {what} {told} code of a loaded file is not run without --trust",
        next_step="Read it first; --trust then runs it.",
    )


@dataclass(frozen=True, slots=True)
class TrustMemory:
    """The file that remembers which code was trusted, private to its owner.

    path: of the file; it is believed only where nobody else can write it. key_path: of the key that what it
    remembers is made with. A memory that came along with a suite was not made with this user's key.
    """

    path: Path
    key_path: Path

    @classmethod
    def default(cls) -> TrustMemory:
        """Return the memory beside the default database, with the key in the user's data folder."""
        return cls(default_path().parent / "trusted.json", data_folder() / "trust.key")

    def key(self, *, make: bool) -> bytes:
        """Return the key; empty where there is none to be had. make: one, where none is there yet."""
        try:
            if self.key_path.exists():
                return self.key_path.read_bytes() if _is_private(self.key_path) else b""
            if not make:
                return b""
            _write_private(self.key_path, secrets.token_bytes(32))
            return self.key_path.read_bytes()
        except (OSError, TurnwiseError):
            return b""

    def known(self, suite: str) -> set[str]:
        """Return the fingerprints of the code that was trusted for a suite."""
        entry = self._read().get(suite)
        listed = entry.get("code") if isinstance(entry, dict) else None
        return {mark for mark in listed if isinstance(mark, str)} if isinstance(listed, list) else set()

    def add(self, suite: str, name: str, marks: Iterable[str]) -> None:
        """Remember code of a suite beside what is remembered already. Raises OSError, TurnwiseError."""
        suites = self._read()
        together = sorted(self.known(suite) | set(marks))
        suites[suite] = {"name": name, "at": f"{datetime.now(UTC):%Y-%m-%d}", "code": together}
        _write_private(self.path, json.dumps({"version": 1, "suites": suites}, indent=1).encode())

    def _read(self) -> dict[str, Any]:
        try:
            if not _is_private(self.path) or self.path.stat().st_size > _LARGEST_MEMORY:
                return {}
            whole = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        suites = whole.get("suites") if isinstance(whole, dict) else None
        return suites if isinstance(suites, dict) else {}


@dataclass(slots=True)
class Trust:
    """Whether code of one suite may run.

    suite: the fingerprint of the suite's file, at its place. given: the user trusts it now. known: the
    fingerprints of code that was trusted before. new: those that were trusted now.
    """

    name: str
    suite: str
    given: bool
    memory: TrustMemory | None
    key: bytes = field(repr=False, default=b"")
    known: frozenset[str] = frozenset()
    new: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, path: Path, *, given: bool, memory: TrustMemory | None) -> Trust:
        """Return the trust in a suite's file, at its place."""
        place = path.resolve()
        try:
            content = place.read_bytes()
        except OSError:
            content = b""
        key = memory.key(make=given) if memory else b""
        memory = memory if key else None
        suite = _mark(key, str(place).encode(), content)
        known = frozenset(memory.known(suite)) if memory else frozenset()
        return cls(path.name, suite, given, memory, key, known)

    @property
    def environment(self) -> Mapping[str, str] | None:
        """What of the environment the file's templates see; None where it is not trusted now."""
        return os.environ if self.given else None

    @property
    def remembered(self) -> bool:
        """Whether code of this very file was trusted before."""
        return bool(self.known)

    def require(self, what: str, place: str, *contents: bytes, hidden: str = "") -> None:
        """Let code through, or raise NotFoundError that says what would run.

        contents: all that it is. hidden: why that is not all of it; such code is never remembered.
        """
        mark = _mark(self.key, *contents)
        if self.given:
            if not hidden:
                self.new.add(mark)
        elif hidden:
            raise untrusted(place, what, hidden=hidden)
        elif mark not in self.known:
            raise untrusted(place, what, changed=self.remembered)

    def keep(self) -> None:
        """Remember what was trusted now; a memory that cannot be written leaves it for this once."""
        if self.memory is not None and self.new - self.known:
            with suppress(OSError, TurnwiseError):
                self.memory.add(self.suite, self.name, self.new)


def _mark(key: bytes, *contents: bytes) -> str:
    digest = hmac.new(key, digestmod=hashlib.sha256)
    for content in contents:
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()


def _is_private(path: Path) -> bool:
    """Whether nobody but the user can write or read a file: who can, could run code as the user."""
    status = path.stat()
    return os.name != "posix" or (status.st_uid == os.getuid() and not status.st_mode & 0o077)


def _write_private(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, for the user alone."""
    make_private_folder(path.parent)
    with whole_file(path, force=True) as file:
        file.write(content)
