"""Evidence: the judge's calls kept in the database, where they are cache, proof and replay in one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from turnwise.conversations.errors import StoreBusyError
from turnwise.conversations.store import CallRow, Store
from turnwise.engine.judge.calls import JudgeCall


class StoredCallBook:
    """A book of calls over a database. What is added is held until `forget`, and found again at once.

    anew: calls that were kept before this book was opened do not serve, but for the lasting ones.
    """

    def __init__(self, store: Store, *, anew: bool = False) -> None:
        self._store = store
        self._anew = anew
        self._held: dict[str, JudgeCall] = {}
        self._elsewhere: dict[str, Callable[[], JudgeCall | None]] = {}
        self._added: set[str] = set()

    def get(self, key: str, *, lasting: bool = False) -> JudgeCall | None:
        """Return the answered call of that key, or None."""
        held = self._held.get(key)
        if held is not None:
            return held if held.answered else None
        if (elsewhere := self._elsewhere.get(key)) is not None and (found := elsewhere()) is not None:
            return found
        if self._anew and not lasting and key not in self._added:
            return None
        row = self._store.calls.reusable(key)
        return call_of_row(row) if row else None

    def add(self, call: JudgeCall) -> None:
        """Hold a call until it is written."""
        self._held.setdefault(call.key, call)
        if self._anew:
            self._added.add(call.key)

    def settle(self, call: JudgeCall) -> JudgeCall:
        """Write the answer to a lasting question at once, and return the one that serves from now on.

        Whoever shares the database may have asked the same meanwhile: the first that was written serves all,
        and the others are kept under keys of their own. Where another program holds the database, it is held
        like any other call.
        """
        try:
            with self._store.impatient():
                return self._settled(call)
        except StoreBusyError:
            self.add(call)
            return call

    def _settled(self, call: JudgeCall) -> JudgeCall:
        with self._store.writing():
            first = self._store.calls.reusable(call.key)
            if first is not None:
                call = replace(call, key=f"{call.key}.{time.time_ns():x}", answered=False)
            self._store.calls.add_all([row_of_call(call)])
        return call_of_row(first) if first else call

    def requests(self, judge: str) -> Iterator[Mapping[str, Any]]:
        """Yield the requests to the judge of a fingerprint that were answered, the newest first."""
        held = [call for call in self._held.values() if call.judge == judge and call.answered]
        yield from (call.request for call in reversed(held))
        yield from self._store.calls.requests(judge)

    def context_tokens(self, judge: str) -> int | None:
        """Return to how many tokens questions to the judge of a fingerprint were cut, in its newest run."""
        found = self._store.runs.newest_judge_settings(judge).get("context_tokens")
        return found if isinstance(found, int) else None

    def held(self) -> list[JudgeCall]:
        """Return the calls that wait to be written."""
        return list(self._held.values())

    def write(self) -> None:
        """Write the calls that wait, in a transaction of their own."""
        if calls := self.held():
            with self._store.writing():
                self._store.calls.add_all([row_of_call(call) for call in calls])
            self.forget(calls)

    def forget(self, calls: list[JudgeCall]) -> None:
        """Let go of calls that have been written."""
        for call in calls:
            self._held.pop(call.key, None)

    def move(self, calls: list[JudgeCall], find: Callable[[str], JudgeCall | None]) -> None:
        """Let go of calls that wait elsewhere now. find: returns the one of a key from there."""
        self.forget(calls)
        self._elsewhere |= {call.key: partial(find, call.key) for call in calls if call.answered}

    def settle_moved(self) -> None:
        """Forget where calls waited that have been written by now."""
        self._elsewhere.clear()


def row_of_call(call: JudgeCall) -> tuple[CallRow, bool]:
    """Return a call as it is stored, and whether its reply may serve again."""
    plain = call.as_json()
    row = CallRow(
        key=call.key,
        judge=call.judge,
        model=call.model,
        request=call.request,
        reply=call.reply,
        usage=call.usage,
        seconds=call.seconds,
        cost=call.cost,
        created_at=call.created_at,
        finish_reason=call.finish_reason or "",
        tokens=plain["tokens"] or None,
    )
    return row, call.answered


def call_of_row(row: CallRow) -> JudgeCall:
    """Return a stored call as one that was taken from the book."""
    return JudgeCall.from_json(
        {
            "key": row.key,
            "judge": row.judge,
            "model": row.model,
            "request": row.request,
            "reply": row.reply,
            "usage": row.usage,
            "seconds": row.seconds,
            "cost": row.cost,
            "created_at": row.created_at,
            "finish_reason": row.finish_reason or None,
            "tokens": row.tokens or (),
        }
    )
