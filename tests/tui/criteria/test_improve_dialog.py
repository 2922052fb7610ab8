"""`I` in the workbench: proposals from people's labels, what each does, taken line by line."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from criterion_sessions import labelled
from judge_server import JudgeServer, Request, Step, hangs, says
from textual.pilot import Pilot
from textual.widgets import Static
from tui_driver import shown, until, words_shown

from turnwise.conversations.store import Store
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.criteria import improve_dialog
from turnwise.tui.criteria.criteria_screen import CriteriaScreen
from turnwise.tui.criteria.improve_dialog import ImproveDialog

STRICT = "Calling somebody a nuisance fails."
POLITE = "name: Polite\ncriteria: Stays polite.\nsteps:\n  - Read it.\nthreshold: 0.7\n"


def learns(request: Request) -> Step:
    """Pass everything, until the guideline stands in the question."""
    if "settles one kind of case" in request.text:
        return says({"guidelines": [STRICT], "criteria": "Stays polite."})
    rude = bool(re.search("are a nuisance", request.text)) and STRICT in request.text
    return says({"reason": "as it is", "turns": [], "score": 2 if rude else 9})


@asynccontextmanager
async def improving(
    store: Store, server: JudgeServer, folder: Path, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[Pilot[int], TurnwiseApp, CriteriaScreen]]:
    (folder / "polite.yaml").write_text(POLITE)
    app = TurnwiseApp(store)
    app.judge.take(ModelSettings(base_url=server.url, model="scripted-1"))
    async with app.run_test(size=size) as pilot:
        await pilot.press("5")
        await until(pilot, lambda: isinstance(app.screen, CriteriaScreen) and app.screen.item is not None)
        bench = app.screen
        assert isinstance(bench, CriteriaScreen)
        await pilot.press("I")
        await until(pilot, lambda: isinstance(app.screen, ImproveDialog))
        yield pilot, app, bench


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_a_guideline_that_helps_is_ticked_told_and_taken_into_the_editor(
    store: Store, judge_server: JudgeServer, folder: Path
) -> None:
    labelled(store, 120)
    judge_server.default = learns
    async with improving(store, judge_server, folder) as (pilot, app, bench):
        await until(pilot, lambda: "mends 24, breaks 0" in words_shown(app))
        words = words_shown(app)
        rows = [line for line in shown(app).splitlines() if ", breaks" in line]
        assert len({line.index(", breaks") for line in rows}) == 1, "the figures stand in columns"
        assert STRICT in words
        assert "mends 0, breaks 0 · may be chance" in words
        assert "As it is, judge and people say the same of" in words
        assert "TNR, of what people fail it fails 0.00 → 1.00 +1.00" in words
        assert "kappa, agreement beyond chance 0.00 → 1.00" in words
        assert "chance, as several changes were tried: less than 0.01." in words
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is bench)
        assert bench.item is not None
        assert STRICT in bench.item.criterion().guidelines
        assert bench.item.edited
    assert STRICT not in (folder / "polite.yaml").read_text()
    assert store.splits.uses("test") == []


async def test_what_a_long_guideline_does_is_seen_beside_it(
    store: Store, judge_server: JudgeServer, folder: Path
) -> None:
    labelled(store, 120)
    long = f"{STRICT} Also where the user was rude first, and where the assistant says sorry afterwards."

    def proposes_much(request: Request) -> Step:
        if "settles one kind of case" in request.text:
            return says({"guidelines": [long], "criteria": "Stays polite."})
        return learns(request)

    judge_server.default = proposes_much
    async with improving(store, judge_server, folder, (80, 24)) as (pilot, app, _):
        await until(pilot, lambda: "mends 24, breaks 0" in shown(app) and "may be chance" in shown(app))
        [row] = [line for line in shown(app).splitlines() if "guideline:" in line and "mends" in line]
        assert "guideline: Calling somebody a …  mends 24, breaks 0" in row
        assert "says sorry afterwards." in words_shown(app)


async def test_what_is_left_out_is_not_taken(store: Store, judge_server: JudgeServer, folder: Path) -> None:
    labelled(store, 120)
    judge_server.default = learns
    async with improving(store, judge_server, folder) as (pilot, app, bench):
        await until(pilot, lambda: "mends 24, breaks 0" in words_shown(app))
        dialog = app.screen
        assert isinstance(dialog, ImproveDialog)
        await pilot.press("space")
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen is dialog
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is bench)
        assert bench.item is not None
        assert not bench.item.edited


SHORT = "Short answers are fine."


def proposes_two(request: Request) -> Step:
    """Draft a guideline that settles all, and one that changes nothing."""
    if "settles one kind of case" in request.text:
        return says({"guidelines": [STRICT, SHORT], "criteria": "Stays polite."})
    return learns(request)


def ticked(app: TurnwiseApp) -> dict[str, str]:
    """Return the sign before each guideline of the list: of A, of B, and of both together."""
    lines = [line for line in shown(app).splitlines() if "mends" in line]
    named = {"A": "guideline A:", "B": "guideline B:", "both": "guidelines A and B together"}
    return {
        name: "✓" if "✓" in line else "·" for name, text in named.items() for line in lines if text in line
    }


async def test_only_what_is_ticked_is_taken_where_proposals_share_a_guideline(
    store: Store, judge_server: JudgeServer, folder: Path
) -> None:
    labelled(store, 120)
    judge_server.default = proposes_two
    async with improving(store, judge_server, folder) as (pilot, app, bench):
        await until(pilot, lambda: len(ticked(app)) == 3)
        assert ticked(app) == {"A": "✓", "B": "·", "both": "·"}, "what adds nothing is not taken along"
        dialog = app.screen
        assert isinstance(dialog, ImproveDialog)
        top = dialog.query_one("#panel").region.y
        together = next(
            place for place, one in enumerate(dialog._found.tried) if len(one.proposal.guidelines) == 2
        )
        dialog.choices.highlighted = together
        await until(pilot, lambda: f"A and B together: · {STRICT} · {SHORT}" in words_shown(app))
        assert dialog.query_one("#panel").region.y == top, "nothing moves with the cursor"
        await pilot.press("space")
        await until(pilot, lambda: ticked(app) == {"A": "✓", "B": "✓", "both": "✓"})
        dialog.choices.highlighted = next(
            place for place, one in enumerate(dialog._found.tried) if one.proposal.guidelines == (STRICT,)
        )
        await pilot.press("space")
        await until(pilot, lambda: ticked(app) == {"A": "·", "B": "✓", "both": "·"})
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is bench)
        assert bench.item is not None
        assert bench.item.criterion().guidelines == [SHORT]


async def test_too_few_labels_are_told_with_what_it_takes(
    store: Store, judge_server: JudgeServer, folder: Path
) -> None:
    labelled(store, 6)
    judge_server.default = learns
    async with improving(store, judge_server, folder) as (pilot, app, _):
        await until(pilot, lambda: "Polite has too few labels to be improved" in words_shown(app))
        assert "train needs 10 in all, some of each kind" in words_shown(app)


async def test_leaving_stops_it(store: Store, judge_server: JudgeServer, folder: Path) -> None:
    labelled(store, 120)
    judge_server.default = hangs()
    async with improving(store, judge_server, folder) as (pilot, app, bench):
        await until(pilot, lambda: "Trying Polite on train: 0 of" in words_shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is bench)
        await until(pilot, lambda: not any(one.group == "improve" for one in app.workers))


async def test_a_move_of_the_cursor_counts_no_figures_anew(
    store: Store, judge_server: JudgeServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labelled(store, 120)
    judge_server.default = learns
    async with improving(store, judge_server, folder) as (pilot, app, _):
        await until(pilot, lambda: "mends 24, breaks 0" in words_shown(app) and STRICT in words_shown(app))
        monkeypatch.setattr(improve_dialog, "detail_lines", None)
        about = app.screen.query_one("#about", Static)
        first = about.content
        await pilot.press("down")
        await until(pilot, lambda: about.content != first)
        await pilot.press("up")
        await until(pilot, lambda: about.content == first)
