"""While another program holds the database, the app says after a second what is waited for."""

from __future__ import annotations

import asyncio

from judge_server import JudgeServer, streams
from lock_holder import held
from waiting import until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.lock_words import WAITING, LockWords
from turnwise.tui.parts.notice import Notice
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.record.record_screen import IN_USE, WAITS, RecordScreen
from turnwise.tui.record.talk_editor import TalkEditor
from turnwise.tui.record.talk_plan import TalkPlan


async def test_what_a_thread_waits_for_is_said_until_it_is_over(store: Store) -> None:
    words = LockWords()
    with Store.open(store.path, patience=words.patience) as opened:
        app = words.app = TurnwiseApp(opened)
        async with app.run_test() as pilot:
            with held(store.path) as holder:
                keeping = asyncio.create_task(asyncio.to_thread(opened.remembered.keep, "name", "value"))
                await until(lambda: [note.message for note in app._notifications] == [WAITING])
                assert not keeping.done()
                holder.free()
                await keeping
            assert words._waiting == 0
            await pilot.pause()


def test_before_there_is_an_app_standard_error_is_told(store: Store, capsys) -> None:
    words = LockWords()
    assert words.patience.on_wait is not None
    words.patience.on_wait()
    assert capsys.readouterr().err == f"{WAITING}\n"


async def test_what_is_said_in_a_talk_is_kept_beside_it_and_told(
    judge_server: JudgeServer, store: Store, monkeypatch
) -> None:
    monkeypatch.setattr("turnwise.conversations.store.database.IMPATIENT_SECONDS", 0.05)
    judge_server.script(streams("Good morning"), streams("Rye"))
    with store.impatient():
        app = TurnwiseApp(store)
        async with app.run_test() as pilot:
            app.push_screen(RecordScreen(TalkPlan(judge_server.url)))
            await until(lambda: isinstance(app.screen, RecordScreen) and app.screen.query(TitleBar))
            screen = app.screen
            assert isinstance(screen, RecordScreen)
            bar, notice = screen.query_one(TitleBar), screen.query_one(Notice)
            await until(lambda: screen.talk.recording is not None)
            with held(store.path):
                screen.query_one(TalkEditor).write("Hello")
                await pilot.press("enter")
                await until(lambda: screen.talk.turns == 2 and screen.reply is None)
                assert bar.right == IN_USE
                assert str(notice.render()) == WAITS
            screen.query_one(TalkEditor).write("What bread?")
            await pilot.press("enter")
            await until(lambda: bar.right == "saved ✓ 4 turns")
    [session] = store.sessions.ids()
    assert [row.content for row in store.turns.of(session)] == ["Hello", "Good morning", "What bread?", "Rye"]
