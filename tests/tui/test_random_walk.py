"""Whatever is pressed by chance, the app goes on, shows what is so, and escape leads back.

Each whole frame is held beside the same one drawn anew, as in all tests of the app. Long walks:
tests/bench/random_keys.py.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from random_walk import DEEPEST, chosen, press_by_chance
from tui_driver import until

from turnwise.conversations.store import Store
from turnwise.tui.actions.places import NUMBERED
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.demo.demo_store import fill
from turnwise.tui.parts.question_dialog import QuestionDialog

STEPS, KEYS = 4, 12
BACK = 2 * DEEPEST
"""Escapes that lead back from everywhere: where one types, or chose, some only end that."""


@pytest.mark.parametrize("seed", range(1, 7))
async def test_a_walk_by_chance_goes_on_and_escape_leads_back(
    store: Store, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is exported or kept as a file by chance is of this folder.
    monkeypatch.chdir(tmp_path)
    await fill(store)
    chance = random.Random(seed)
    app = TurnwiseApp(store)
    app.judge.chosen = True
    async with app.run_test(size=(80, 24) if seed % 2 else (160, 50)) as pilot:
        for _ in range(STEPS):
            await pilot.press(chance.choice(NUMBERED).key)
            for key in chosen(app, chance, KEYS):
                await press_by_chance(pilot, key, bursts=seed % 3 == 0, chance=chance)
            for _ in range(BACK):
                if app.screen is app.library:
                    break
                # What was written by chance is dropped: escape alone never does that.
                asked = isinstance(app.screen, QuestionDialog)
                await pilot.press(*(("down", "down", "enter") if asked else ("escape",)))
            await until(pilot, lambda: app.screen is app.library)
