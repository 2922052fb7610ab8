"""Rows of the simulation screen: a scenario each, what came of it, and what is told of one below."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.conversations.marks import FAILURE, PASSED
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.scenarios import Scenario
from turnwise.conversations.words import counted
from turnwise.engine.simulating import SimulatedSession
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.record_table import Cell, TableColumn

NOT_ENDED = "·"
ENDS = {
    "reached": ("goal reached", "the user got what they wanted"),
    "given up": ("user gave up", "the user gave up"),
    "script": ("script at its end", "the user said all of their script"),
    "turns": ("out of turns", "ended after as many turns as it may have"),
    "time": ("out of time", "ended after as long as it may take"),
    "interrupted": ("stopped", "stopped; it goes on the next time"),
}
"""How a conversation ended, in few words and in a sentence."""
WITH_PLACE_FROM = 120


class PlayedScenarios:
    """The scenarios in their order, and what came of each so far."""

    def __init__(self, scenarios: Sequence[Scenario]) -> None:
        self.scenarios = scenarios
        self.found: list[SimulatedSession | None] = [None] * len(scenarios)
        self._waiting: dict[tuple[str, str], list[int]] = {}
        for row, scenario in reversed(list(enumerate(scenarios))):
            self._waiting.setdefault((scenario.name, scenario.place), []).append(row)

    def take(self, one: SimulatedSession) -> None:
        """Put what came of a scenario into its row."""
        self.found[self._waiting[one.scenario, one.place].pop()] = one

    @property
    def ended(self) -> list[int]:
        """The sessions in which nobody failed and nobody stopped."""
        return sorted(
            one.session
            for one in self.found
            if one is not None and one.session is not None and not one.failed and one.ended != "interrupted"
        )

    def next_failed(self, row: int, step: int) -> int | None:
        """Return the next row, or the one before, in which somebody failed."""
        rows = range(row + step, len(self.found) if step > 0 else -1, step)
        return next((at for at in rows if (one := self.found[at]) is not None and one.failed), None)


def played_columns(width: int) -> list[TableColumn]:
    """Return the columns of the table in so many cells."""
    return [
        TableColumn("", 1),
        TableColumn("scenario"),
        *([TableColumn("from", 24)] if width >= WITH_PLACE_FROM else []),
        TableColumn("session", 7, right=True),
        TableColumn("turns", 5, right=True),
        TableColumn("ended", 28),
    ]


def played_cells(played: PlayedScenarios, row: int, width: int) -> list[Cell]:
    """Return the cells of a scenario for those columns."""
    scenario, one = played.scenarios[row], played.found[row]
    place = [Cell(scenario.place, "muted")] if width >= WITH_PLACE_FROM else []
    if one is None:
        return [
            Cell(NOT_ENDED, "muted"),
            Cell(scenario.name),
            *place,
            Cell(""),
            Cell(""),
            Cell("not yet", "muted"),
        ]
    number = "" if one.session is None else str(one.session)
    tone = "failed" if one.failed else "muted"
    short, _ = ENDS.get(one.ended, (one.ended, one.ended))
    ended = f"{one.failed} failed" if one.failed else f"{short}{', as before' if one.kept else ''}"
    sign, sign_tone = (FAILURE, "failed") if one.failed else (PASSED, "passed")
    if one.ended == "interrupted":
        sign, sign_tone = NOT_ENDED, "muted"
    return [
        Cell(sign, sign_tone),
        Cell(scenario.name),
        *place,
        Cell(number),
        Cell(str(one.turns)),
        Cell(ended, tone),
    ]


def played_lines(played: PlayedScenarios, row: int, width: int, tones: Tones) -> list[Line]:
    """Return what is told of a scenario, so many cells wide."""
    scenario, one = played.scenarios[row], played.found[row]
    lines = paragraph(make_safe_line(scenario.name), width, tones.section)
    if one is not None and one.failed:
        told = f"{one.failed} failed: {make_safe_line(one.why)}"
        lines += paragraph(told, width, tones.failed, most=3)
    elif one is not None:
        _, said = ENDS.get(one.ended, (one.ended, one.ended))
        told = f"{said}, {counted(one.turns, 'turn')}"
        lines += paragraph(f"{told}{', played before' if one.kept else ''}", width, tones.text)
    who = scenario.persona or ("by a script" if scenario.script is not None else "")
    for name, text in (
        ("user", who),
        ("wants", scenario.goal or scenario.situation),
        ("outcome", scenario.expected_outcome),
    ):
        if text:
            lines += paragraph(f"{name}: {make_safe_line(text)}", width, tones.muted, most=2)
    return lines
