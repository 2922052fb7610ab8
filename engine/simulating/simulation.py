"""Simulation: many scenarios at once against one chatbot, each into a session, none asked twice.

A session is named by all that shapes it: scenario, seed, chatbot, who plays the user, and the caps. So
the same simulation again finds those that are finished, goes on with those that are not, and plays the rest.
Calls are kept before the turn that rests on them: whoever is killed loses the call under way.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import (
    BudgetSpentError,
    JudgeUnavailableError,
    JudgeUnusableError,
)
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.recording import Recording
from turnwise.conversations.scenarios import Scenario
from turnwise.conversations.store import Store
from turnwise.engine.chatbots.talk import Talker
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.judge.judge import Judge
from turnwise.engine.scoring.runner import HOPELESS, work_through
from turnwise.engine.simulating.playing import (
    FAILED,
    INTERRUPTED,
    SIMULATION,
    USUAL_CAPS,
    Play,
    SimulatedSession,
    SimulationCaps,
    opening_turns,
)
from turnwise.engine.simulating.replies import KeptChatbot, Spent
from turnwise.engine.simulating.users import user_of

SOURCE = "simulated"
"""Where the sessions come from, for people."""
AT_ONCE = 4
_NOT_FINISHED = (FAILED, INTERRUPTED)


@dataclass(frozen=True, slots=True)
class _Part:
    """A scenario that is to be played. number: which of the same scenario this is, from 0."""

    scenario: Scenario
    number: int
    key: str


@dataclass(slots=True)
class SimulationTally:
    """How far a simulation is, in words for people."""

    total: int
    done: int = 0
    kept: int = 0
    failed: int = 0

    def count(self, one: SimulatedSession) -> None:
        """Take a session into account."""
        self.done += one.ended != INTERRUPTED
        self.kept += one.kept
        self.failed += bool(one.failed)

    def line(self) -> str:
        """Return one line."""
        parts = [f"{self.done:,} of {self.total:,} conversations"]
        parts += [f"{self.kept:,} finished before"] if self.kept else []
        parts += [f"{self.failed:,} failed"] if self.failed else []
        return " · ".join(parts)


class Simulation:
    """Plays scenarios against a chatbot.

    model: plays the users that have no script. seed: of all that chance decides. budget: US dollars for
    both together; None is no limit. again: play anew what is finished, and let no kept reply serve.
    """

    def __init__(
        self,
        store: Store,
        talker: Talker,
        model: Judge | None,
        *,
        seed: int = 0,
        caps: SimulationCaps = USUAL_CAPS,
        budget: float | None = None,
        again: bool = False,
    ) -> None:
        self._store = store
        self._talker = talker
        self._model = model
        self._seed = seed
        self._caps = caps
        self._budget = budget
        self._again = again
        kept = model.book if model is not None else None
        self._book = kept if isinstance(kept, StoredCallBook) else StoredCallBook(store, anew=again)
        self._spent = Spent()
        self._hope = {"chatbot": _Hope(), "user model": _Hope()}

    @property
    def spent(self) -> float:
        """US dollars, as far as prices are known."""
        return self._spent.dollars + (self._model.spent if self._model else 0.0)

    async def sessions(
        self, scenarios: Sequence[Scenario], *, at_once: int = AT_ONCE, stop: asyncio.Event | None = None
    ) -> AsyncGenerator[SimulatedSession]:
        """Play scenarios and yield each as it ends, in no fixed order.

        stop: once it is set nothing more is begun, and every talk ends with the reply under way; it goes on
        the next time. Raises JudgeError where chatbot or user model are away, or the budget is spent.
        """

        async def parts() -> AsyncIterator[_Part]:
            seen: Counter[str] = Counter()
            for scenario in scenarios:
                number = seen[scenario.content_fingerprint]
                seen[scenario.content_fingerprint] += 1
                yield _Part(scenario, number, self._key(scenario, number))

        async def play(part: _Part) -> SimulatedSession:
            return await self._play(part, stop)

        async with aclosing(work_through(parts(), play, workers=at_once, stop=stop)) as landing:
            async for _, found in landing:
                yield found
                self._lose_hope(found)

    def _key(self, scenario: Scenario, number: int) -> str:
        user = "script" if scenario.script is not None or self._model is None else self._model.fingerprint
        shaped = [scenario.content_fingerprint, number, self._seed, self._talker.title, user]
        return fingerprint([SIMULATION, *shaped, scenario.max_turns or self._caps.turns, self._caps.seconds])

    async def _play(self, part: _Part, stop: asyncio.Event | None) -> SimulatedSession:
        scenario = part.scenario
        key, session, ended = self._found(part)
        if session is not None and ended and ended not in _NOT_FINISHED:
            row = self._store.sessions.get(session)
            return SimulatedSession(
                session=session,
                scenario=scenario.name,
                place=scenario.place,
                turns=row.turns,
                ended=ended,
                kept=True,
            )
        talk = fingerprint([scenario.content_fingerprint, part.number, self._seed])
        recording = self._recording(scenario, key, session)
        play = Play(
            scenario=scenario,
            recording=recording,
            user=user_of(scenario, self._model, f"{self._seed}:{part.number}"),
            chatbot=KeptChatbot(self._talker, self._book, talk, self._spent),
            caps=self._caps,
            stop=stop,
            keep=self._book.write,
            check_budget=self._check_budget,
        )
        try:
            found = await play.run()
        finally:
            self._book.write()
            recording.close()
        if found.session is not None:
            stated = {**self._stated(scenario), "ended": found.ended}
            failed = {"failed": found.failed, "why": found.why} if found.failed else {}
            self._store.growing.state(found.session, {SIMULATION: {**stated, **failed}})
        return found

    def _found(self, part: _Part) -> tuple[str, int | None, str]:
        """Return the key of a session, the session where it was begun, and how it ended."""
        newest: tuple[str, int | None, str] = (part.key, None, "")
        generation = 0
        while True:
            key = fingerprint([part.key, generation]) if generation else part.key
            session = self._store.sessions.of_key(key)
            if session is None:
                is_over = newest[2] and newest[2] not in _NOT_FINISHED
                return (key, None, "") if newest[1] is None or (self._again and is_over) else newest
            newest = (key, session, self._ended(session))
            generation += 1

    def _ended(self, session: int) -> str:
        metadata = getattr(self._store.sessions.case(session), "metadata", None) or {}
        stated = metadata.get(SIMULATION)
        return str(stated.get("ended", "")) if isinstance(stated, dict) else ""

    def _recording(self, scenario: Scenario, key: str, session: int | None) -> Recording:
        if session is not None:
            return Recording.resumed(self._store, session, target=self._talker.title)
        known = {
            "scenario": scenario.situation or scenario.goal,
            "expected_outcome": scenario.expected_outcome,
            "user_description": scenario.persona,
            **scenario.about,
            "name": scenario.name,
        }
        metadata = {**(scenario.about.get("metadata") or {}), SIMULATION: self._stated(scenario)}
        return Recording(
            self._store,
            target=self._talker.title,
            role=scenario.role,
            system=scenario.system,
            name=scenario.name,
            source=SOURCE,
            about={**{name: item for name, item in known.items() if item}, "metadata": metadata},
            opening=opening_turns(scenario),
            key=key,
        )

    def _stated(self, scenario: Scenario) -> dict[str, Any]:
        model = (
            self._model.settings.model if self._model is not None and scenario.script is None else "script"
        )
        return {"scenario": scenario.name, "place": scenario.place, "seed": self._seed, "user": model}

    def _check_budget(self) -> None:
        if self._budget is not None and self.spent >= self._budget:
            raise BudgetSpentError(
                "The budget is spent",
                detail=f"${self.spent:.4f} of ${self._budget:.4f}",
                next_step="What was said is kept; the same command with a larger budget goes on.",
            )

    def _lose_hope(self, found: SimulatedSession) -> None:
        """Raise the error of somebody who never answers, so that a simulation does not try it for an hour."""
        if found.kept:
            return
        if found.turns > 1:
            self._hope["user model"].answered()
            self._hope["chatbot"].answered()
        if found.failed in self._hope and isinstance(found.error, JudgeUnavailableError | JudgeUnusableError):
            self._hope[found.failed].failed(found.error)


class _Hope:
    """Counts failures of somebody who has not answered yet."""

    def __init__(self) -> None:
        self._answered = False
        self._failures = 0

    def answered(self) -> None:
        self._answered = True

    def failed(self, error: JudgeUnavailableError | JudgeUnusableError) -> None:
        self._failures += 1
        if self._failures >= HOPELESS and (not self._answered or isinstance(error, JudgeUnusableError)):
            raise error
