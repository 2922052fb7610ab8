"""Judges in words: what the title says of the judge, and that nothing is said before it is known."""

from __future__ import annotations

from tui_driver import shown, until

from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.judging.judge_words import judge_in_title


async def test_before_a_judge_was_looked_for_the_title_does_not_say_that_there_is_none(
    app: TurnwiseApp,
) -> None:
    assert judge_in_title(app.judge) == "judge: …"
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.judge.known)
        app.judge.take(None)
        await until(pilot, lambda: "no judge in use" in shown(app))
        app.judge.take(ModelSettings(base_url="http://127.0.0.1:9/v1", model="judge-1"))
        await until(pilot, lambda: "judge: judge-1" in shown(app))
