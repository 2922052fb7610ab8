"""A small real model plays a user and is the chatbot: the same seed gives the same sessions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from model_fixture import find_or_pull_small_model

from turnwise.conversations.scenarios import Scenario, ScriptRule, UserScript
from turnwise.conversations.store import Store
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.judge.judge import Judge
from turnwise.engine.models.embedded.provider import embedded_model
from turnwise.engine.simulating import USER_TEMPERATURE, Simulation, SimulationCaps

SCENARIOS = (
    Scenario(name="played", goal="Learn when it opens", begin="Hello", manner="One word."),
    Scenario(
        name="script",
        script=UserScript(lines=("Hello",), rules=(ScriptRule(when=" ", say=("And?", "Why?"), times=1),)),
    ),
)


async def played(database: Path) -> dict[str, Any]:
    """Play into a new database, and return what every session says without times."""
    settings = embedded_model(str(find_or_pull_small_model()))
    assert settings is not None
    seeded = replace(settings, seed=5)
    user = replace(seeded, temperature=USER_TEMPERATURE)
    with Store.open(database) as store:
        async with (
            Target(seeded, longest_reply=6) as target,
            Judge(user, StoredCallBook(store)) as model,
        ):
            simulation = Simulation(store, target, model, seed=5, caps=SimulationCaps(turns=2))
            found = {one.scenario: one.session async for one in simulation.sessions(SCENARIOS, at_once=1)}
        cases = {name: store.sessions.case(session or 0) for name, session in found.items()}
    for case in cases.values():
        for turn in case.turns:
            turn.latency_ms = None
    return {name: case.data() for name, case in cases.items()}


@pytest.mark.model
async def test_the_same_seed_gives_the_same_sessions_but_for_times(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    first = await played(tmp_path / "first.db")
    assert await played(tmp_path / "second.db") == first
    assert set(first) == {"played", "script"}
