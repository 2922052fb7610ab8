"""SimulationPlan: which scenarios are played against whom, and how, as a command or a dialog says it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from turnwise.conversations.errors import SettingError
from turnwise.engine.chatbots.limits import USUAL, ChatbotLimits

if TYPE_CHECKING:
    from turnwise.conversations.scenarios import Scenario
    from turnwise.conversations.store import Store
    from turnwise.engine.chatbots.talk import Talker
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.engine.simulating import Simulation

MOST_TURNS = 8
AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class OpenSimulation:
    """A simulation with those who take part. user_model: None where all users are scripts."""

    simulation: Simulation
    talker: Talker
    user_model: Judge | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationPlan:
    """Which scenarios are played against whom, and how.

    target: settings, or what `find_talker` takes. user_model: plays the users that have no script. seed: of
    all that chance decides. turns, seconds: caps on one conversation; None is no limit. budget: US dollars.
    again: play anew what is finished. limits: how long the chatbot is waited for.
    """

    scenarios: Sequence[Scenario]
    target: ModelSettings | str | None
    user_model: ModelSettings | None = None
    seed: int = 0
    at_once: int = AT_ONCE
    turns: int = MOST_TURNS
    seconds: float | None = None
    budget: float | None = None
    again: bool = False
    limits: ChatbotLimits = USUAL

    @property
    def scripts(self) -> int:
        """How many scenarios have a user by a script."""
        return sum(scenario.script is not None for scenario in self.scenarios)

    @asynccontextmanager
    async def opened(self, store: Store) -> AsyncIterator[OpenSimulation]:
        """Find and reach all who take part, until the block ends.

        Raises SettingError where nobody can play the users, what `find_talker` raises, and what reaching a
        model raises.
        """
        from turnwise.engine.chatbots.targets import Target
        from turnwise.engine.judge.evidence import StoredCallBook
        from turnwise.engine.judge.judge import open_judge
        from turnwise.engine.simulating import USER_TEMPERATURE, Simulation, SimulationCaps
        from turnwise.engine.suites.code.talking import find_talker

        user = self.user_model if self.scripts < len(self.scenarios) else None
        if user is None and self.scripts < len(self.scenarios):
            raise SettingError(
                "There is no model to play the users",
                detail=next(one.place for one in self.scenarios if one.script is None),
                next_step="Name one with --user-model, or give scenarios a script.",
            )
        if user is not None:
            user = replace(user, seed=self.seed, temperature=USER_TEMPERATURE)
        if self.target is None or isinstance(self.target, str):
            found = await find_talker(self.target, limits=self.limits)
        else:
            found = Target(self.limits.of(self.target))
        if isinstance(found, Target):
            found = Target(replace(found.settings, seed=self.seed))
        book = StoredCallBook(store, anew=self.again)
        async with found as talker, open_judge(user, needed=user is not None, book=book) as model:
            simulation = Simulation(
                store,
                talker,
                model,
                seed=self.seed,
                caps=SimulationCaps(turns=self.turns, seconds=self.seconds),
                budget=self.budget,
                again=self.again,
            )
            yield OpenSimulation(simulation, talker, model)
