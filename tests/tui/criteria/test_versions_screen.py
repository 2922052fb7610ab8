"""Versions side by side: their figures on the same sessions, their words, and one to take back."""

from __future__ import annotations

from stored import identity, score
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_versions import keep_version
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.criteria.versions_screen import VersionsScreen

FIRST = Criterion(name="Polite", criteria="Stays polite, always.", threshold=0.7)
SECOND = FIRST.model_copy(update={"criteria": "Stays friendly, always."})
THIRD = FIRST.model_copy(update={"steps": ["Look.", "\x1b[31mJudge."]})


def scored(store: Store, criterion: Criterion, value: float) -> None:
    keep_version(store, criterion, author="ann")
    run = store.runs.begin(judge="j", metrics=["Polite"])
    print_ = criterion.metric().fingerprint
    found = [
        (identity(session, "Polite", metric_fingerprint=print_), score(value, "Polite"))
        for session in store.sessions.ids()
    ]
    store.scores.add_all(run, found)


async def test_versions_are_gone_through_and_one_is_taken(app: TurnwiseApp, filled: Store) -> None:
    for number, session in enumerate(filled.sessions.ids()):
        filled.labels.add(session, "fail" if number else "pass", author="ann", blind=True)
    scored(filled, FIRST, 0.9)
    scored(filled, SECOND, 0.1)
    taken: list[Criterion | None] = []
    async with app.run_test(size=(120, 40)) as pilot:
        app.push_screen(VersionsScreen(THIRD), taken.append)
        await until(pilot, lambda: "3 versions" in shown(app))
        await until(pilot, lambda: "v2 · ann" in shown(app) and "in the editor, not tried" in shown(app))
        await until(pilot, lambda: "3 scored, none by both" in shown(app))
        assert "\x1b[31mJudge" not in shown(app)
        await pilot.press("left_square_bracket", "left")
        await until(pilot, lambda: "v1 · ann" in shown(app) and "v2 · ann" in shown(app))
        await until(pilot, lambda: "On the 3 sessions that both scored" in shown(app))
        assert "2 false passes, no false fail" in shown(app)
        assert "no false pass, 1 false fail" in shown(app)
        # The same figure stands there once, and what is another is named, however little of it is alike.
        assert "TNR" not in shown(app)
        assert "In plain words · changed" in shown(app)
        assert "Steps · changed" not in shown(app)
        # At the ends it goes no further.
        await pilot.press("left", "left", "enter")
        await until(pilot, lambda: bool(taken))
    assert taken == [FIRST]


async def test_a_single_version_says_so_and_nothing_is_taken(app: TurnwiseApp) -> None:
    taken: list[Criterion | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(VersionsScreen(FIRST), taken.append)
        await until(pilot, lambda: "There is one version only" in shown(app))
        await pilot.press("enter", "j", "G", "g", "escape")
        await until(pilot, lambda: bool(taken))
    assert taken == [None]
