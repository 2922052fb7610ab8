"""The key of the heat map: which scores a shade stands for, and from which score on metrics pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields

import pytest
from rich.style import Style
from stored import keep, land, score
from tui_driver import shown, until

from turnwise.conversations.store import Mark, Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.overview.heat_key import key_of_shades, needs_words
from turnwise.tui.overview.heat_rows import heat_cell

LETTERS = {"role_adherence": "ra", "warmth": "wa"}


@pytest.mark.parametrize(
    ("thresholds", "letters", "words"),
    [
        ({}, {}, ""),
        ({"role_adherence": ()}, {}, ""),
        ({"role_adherence": (0.5,), "warmth": (0.5,)}, LETTERS, "passes from 0.50"),
        ({"a": (0.5,), "b": (0.5,), "warmth": (0.7,)}, LETTERS, "passes from 0.50, wa from 0.70"),
        (
            {"a": (0.5,), "b": (0.5,), "role_adherence": (0.7,)},
            {},
            "passes from 0.50, role adherence from 0.70",
        ),
        ({"a": (0.5, 0.9)}, {}, "passes from 0.50 to 0.90"),
    ],
)
def test_from_which_score_on_metrics_pass_is_told_once_for_most(
    thresholds: Mapping[str, Sequence[float]], letters: Mapping[str, str], words: str
) -> None:
    assert needs_words(thresholds, letters) == words


@pytest.mark.parametrize("width", [40, 76, 156])
def test_the_scores_of_shades_and_those_that_pass_stand_in_a_line_or_in_two(width: int) -> None:
    tones = Tones(*[Style.null()] * len(fields(Tones)))
    lines = key_of_shades({"warmth": (0.7,)}, {}, width, tones)
    texts = ["".join(part.text for part in line) for line in lines]
    assert all(len(text) <= width for text in texts)
    assert len(texts) == (2 if width < 70 else 1)
    assert "passes from 0.70" in texts[-1]


@pytest.mark.parametrize(
    ("value", "shade", "least"),
    [(0.76, "▂", "0.75"), (0.75, "▄", "0.50"), (0.51, "▄", "0.50"), (0.5, "▆", "0.25"), (0.25, "█", "")],
)
def test_it_tells_the_shades_as_cells_have_them(value: float, shade: str, least: str) -> None:
    assert heat_cell(Mark("score", value, passed=False)).endswith(shade)
    tones = Tones(*[Style.null()] * len(fields(Tones)))
    [line] = key_of_shades({}, {}, 100, tones)
    text = "".join(part.text for part in line)
    assert f"{shade} above {least}" in text if least else f"{shade} the rest" in text


@pytest.mark.parametrize(("size", "told"), [((80, 24), False), ((80, 40), True)])
async def test_a_low_window_leaves_a_line_more_for_sessions(
    store: Store, size: tuple[int, int], told: bool
) -> None:
    session = keep(store, "question", "answer", name="talk")
    land(store, session, *(score(0.9, f"metric {number}") for number in range(7)))
    app = TurnwiseApp(store)
    async with app.run_test(size=size) as pilot:
        await pilot.press("2")
        await until(pilot, lambda: app.place == "overview" and "Weakest" in shown(app))
        await pilot.press("H")
        # What the metric under the cursor needs is told in any case.
        await until(pilot, lambda: "▂ " in shown(app) and "passes (needs 0.50)" in shown(app))
        assert ("passes from 0.50" in shown(app)) == told


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 50)])
async def test_it_stands_below_the_map_whatever_the_cursor_is_on(store: Store, size: tuple[int, int]) -> None:
    for number, value in enumerate((0.9, 0.2)):
        session = keep(store, f"question {number}", "answer", name=f"talk {number}")
        land(store, session, score(value), score(0.9, "warmth"))
    app = TurnwiseApp(store)
    async with app.run_test(size=size) as pilot:
        await pilot.press("2")
        await until(pilot, lambda: app.place == "overview" and "Weakest" in shown(app))
        await pilot.press("H")
        await until(pilot, lambda: "passes from 0.50" in shown(app))
        await until(pilot, lambda: "▂ above 0.75" in shown(app) or "▂ >0.75" in shown(app))
