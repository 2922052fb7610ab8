"""Playing one scenario: turn by turn into a session, until it ends or somebody fails."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Literal

from turnwise.conversations.errors import StoreError, TurnwiseError
from turnwise.conversations.recording import Recording
from turnwise.conversations.scenarios import Scenario
from turnwise.conversations.turns import Turn
from turnwise.engine.chatbots.talk import Replies, answer
from turnwise.engine.simulating.users import PlayedUser

MOST_ALIKE = 3
"""A user who says the same so often in a row has lost the thread."""
WhoFailed = Literal["", "chatbot", "user model", "tool"]
INTERRUPTED = "interrupted"
FAILED = "failed"
SIMULATION = "simulation"
"""The key of a session's metadata that says how it was played and how it ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationCaps:
    """Where a conversation ends at the latest. turns: of the user. seconds: that it has been played for."""

    turns: int = 8
    seconds: float | None = None


USUAL_CAPS = SimulationCaps()


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedSession:
    """What came of a scenario.

    session: None where nothing was said. ended: reached, given up, script, turns, time, failed or
    interrupted. failed: who failed, and why; empty where nobody did. kept: it was finished before.
    """

    session: int | None
    scenario: str
    place: str
    turns: int
    ended: str
    failed: WhoFailed = ""
    why: str = ""
    kept: bool = False
    error: TurnwiseError | None = None

    def data(self) -> dict[str, Any]:
        """Return it as the command line prints it."""
        return {
            "session": self.session,
            "scenario": self.scenario,
            "turns": self.turns,
            "ended": self.ended,
            "failed": self.failed,
            "why": self.why,
            "kept": self.kept,
        }


class Failed(Exception):  # noqa: N818 - no error of ours: it says who of several failed
    """Somebody who takes part failed."""

    def __init__(self, who: WhoFailed, why: str, error: TurnwiseError | None = None) -> None:
        super().__init__(why)
        self.who: WhoFailed = who
        self.why = why
        self.error = error


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """One scenario under way. keep: writes the calls that were made, before the turn that rests on them.

    check_budget: raises BudgetSpentError. clock: seconds.
    """

    scenario: Scenario
    recording: Recording
    user: PlayedUser
    chatbot: Replies
    caps: SimulationCaps
    stop: asyncio.Event | None
    keep: Callable[[], None]
    check_budget: Callable[[], None] = lambda: None
    clock: Callable[[], float] = time.monotonic

    async def run(self) -> SimulatedSession:
        """Play until it ends. Raises StoreError, and JudgeError that ends the whole simulation."""
        try:
            ended = await self._run()
        except Failed as failed:
            return self._result(FAILED, failed)
        return self._result(ended)

    async def _run(self) -> str:
        began = self.clock()
        most = self.scenario.max_turns or self.caps.turns
        while True:
            if self.recording.waits_for_reply:
                await self._reply()
            if self._users_turns() >= most:
                return "turns"
            if self.caps.seconds is not None and self.clock() - began >= self.caps.seconds:
                return "time"
            if self.stop is not None and self.stop.is_set():
                return INTERRUPTED
            self.check_budget()
            if (ended := await self._user_says()) is not None:
                return ended

    async def _user_says(self) -> str | None:
        try:
            turn = await self.user.next_turn(self.recording.said)
        except TurnwiseError as error:
            raise _failed("user model", error) from error
        if turn.ended is not None:
            self.keep()
            return turn.ended
        before = [one.content for one in self.recording.said if one.role == "user"]
        if before[-MOST_ALIKE + 1 :] == [turn.says] * (MOST_ALIKE - 1) and self.scenario.script is None:
            raise Failed("user model", f"It says the same {MOST_ALIKE} times in a row: {turn.says[:100]}")
        self.keep()
        self.recording.user_says(turn.says)
        return None

    async def _reply(self) -> None:
        try:
            async with aclosing(answer(self.chatbot, self.recording)) as pieces:
                async for _ in pieces:
                    pass
        except TurnwiseError as error:
            raise _failed("chatbot", error) from error
        finally:
            self.keep()
        last = self.recording.rows[-1]
        if last.content.strip():
            return
        if last.tools_called:
            names = ", ".join(call.name for call in last.tools_called)
            raise Failed(
                "tool", f"The chatbot calls {names} and waits for what it gives; nobody runs it here"
            )
        raise Failed("chatbot", "It said nothing")

    def _users_turns(self) -> int:
        opening = sum(role == "user" for role, _ in self.scenario.opening)
        return sum(turn.role == "user" for turn in self.recording.said) - opening

    def _result(self, ended: str, failed: Failed | None = None) -> SimulatedSession:
        return SimulatedSession(
            session=self.recording.session_id,
            scenario=self.scenario.name,
            place=self.scenario.place,
            turns=self.recording.turns if self.recording.session_id is not None else 0,
            ended=ended,
            failed=failed.who if failed else "",
            why=failed.why if failed else "",
            error=failed.error if failed else None,
        )


def _failed(who: WhoFailed, error: TurnwiseError) -> Exception:
    """Return who failed; what ends every talk alike, as a spent budget does, stays as it is."""
    if isinstance(error, StoreError) or getattr(error, "stops_run", False):
        return error
    return Failed(who, ". ".join(part for part in (error.title, *error.detail.splitlines()) if part), error)


def opening_turns(scenario: Scenario) -> list[Turn]:
    """Return how a talk began before it is played."""
    return [Turn(role=role, content=content) for role, content in scenario.opening]
