"""Talking: a person at the record screen, and what is kept of what they say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.message_editor import MessageEditor
from turnwise.tui.parts.notice import Notice
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.record.record_screen import RecordScreen
from turnwise.tui.record.talk_dialog import TalkDialog
from turnwise.tui.record.talk_plan import TalkPlan


class Talker:
    """A person at the record screen."""

    def __init__(self, app: TurnwiseApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def screen(self) -> RecordScreen:
        return next(screen for screen in self.app.screen_stack if isinstance(screen, RecordScreen))

    @property
    def editor(self) -> MessageEditor:
        return self.screen.query_one(MessageEditor)

    @property
    def title(self) -> TitleBar:
        return self.screen.query_one(TitleBar)

    @property
    def notice(self) -> str:
        notice = self.screen.query_one(Notice)
        return str(notice.content) if notice.display else ""

    @property
    def lines(self) -> list[str]:
        view = self.screen.query_one(TranscriptView)
        return [view.render_line(y).text.strip("▌▏ ") for y in range(view.size.height)]

    async def until(self, ready: Callable[[], object]) -> None:
        """Wait for something to be so."""
        async with asyncio.timeout(60):
            while not ready():
                await self.pilot.pause(0.02)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def say(self, text: str, *, turns: int | None = None) -> None:
        """Send a message; turns: how many are kept when the reply is there."""
        self.editor.write(text)
        await self.press("enter")
        if turns is not None:
            await self.until(lambda: self.saved == turns and "write" in self.idle)

    @property
    def saved(self) -> int:
        words = self.title.right.split()
        return int(words[2]) if words[:1] == ["saved"] else 0

    @property
    def idle(self) -> str:
        return "write" if self.screen.check_action("send", ()) else ""


@asynccontextmanager
async def recording(
    store: Store, target: str | None, size: tuple[int, int] = (80, 24), **options: Any
) -> AsyncIterator[Talker]:
    app = TurnwiseApp(store)
    async with app.run_test(size=size) as pilot:
        app.push_screen(RecordScreen(TalkPlan(target, **options)))
        await pilot.pause()
        talker = Talker(app, pilot)
        if target is not None:
            await talker.until(lambda: talker.title.right or isinstance(app.screen, TalkDialog))
            await talker.until(lambda: "Looking" not in talker.notice)
        yield talker


def kept(store: Store, session: int = 1) -> list[tuple[str, str, bool]]:
    return [(row.role, row.content, row.interrupted) for row in store.turns.of(session)]
