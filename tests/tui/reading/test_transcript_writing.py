"""A turn that is being written grows in its place, and whoever reads elsewhere is left alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from textual.app import App, ComposeResult
from textual.pilot import Pilot

from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.reading.transcript import TranscriptView

REPLY = TurnRow(20, 21, "assistant", "…")


class Writer(App[None]):
    """An app with a talk of twenty turns and a reply that begins."""

    def compose(self) -> ComposeResult:
        yield TranscriptView(
            TurnRow(n, n + 1, ("user", "assistant")[n % 2], f"turn-{n + 1}") for n in range(20)
        )

    def on_mount(self) -> None:
        self.query_one(TranscriptView).append_turn(REPLY)


@asynccontextmanager
async def writing() -> AsyncIterator[tuple[TranscriptView, Pilot[None]]]:
    app = Writer()
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.pause()
        view = app.query_one(TranscriptView)
        view.end()
        yield view, pilot


def screen(view: TranscriptView) -> list[str]:
    return [view.render_line(y).text.strip("▌ ") for y in range(view.size.height)]


async def test_its_text_and_its_note_are_those_of_now() -> None:
    async with writing() as (view, _):
        view.update_last(replace(REPLY, content="One"), "1 piece")
        assert "One" in screen(view)
        view.update_last(replace(REPLY, content="One two"), "2 pieces")
        assert "One two" in screen(view)
        assert any(line.endswith("2 pieces") for line in screen(view))
        view.update_last(replace(REPLY, content="One two", at=61.0))
        assert any(line.endswith("+1:01") for line in screen(view))
        assert not any("pieces" in line for line in screen(view))


async def test_its_end_stays_in_sight_while_it_grows() -> None:
    async with writing() as (view, _):
        for lines in range(1, 40):
            view.update_last(replace(REPLY, content="\n\n".join(f"line-{n}" for n in range(lines))))
            assert f"line-{lines - 1}" in screen(view)


async def test_who_reads_elsewhere_is_left_there() -> None:
    async with writing() as (view, _):
        view.home()
        before = screen(view)
        view.update_last(replace(REPLY, content="\n\n".join(f"line-{n}" for n in range(40))))
        assert screen(view) == before


async def test_the_end_stays_in_sight_when_the_window_shrinks() -> None:
    async with writing() as (view, pilot):
        view.update_last(replace(REPLY, content="The very end"))
        await pilot.resize_terminal(60, 6)
        await pilot.pause()
        assert "The very end" in screen(view)


async def test_a_turn_that_was_cut_short_says_so() -> None:
    async with writing() as (view, _):
        view.update_last(replace(REPLY, content="Well,", at=5.0, interrupted=True))
        assert any(line.endswith("cut short · +0:05") for line in screen(view))
