"""Running the app on a database, from its opening to the exit code."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.conversations.store import Store, Told
from turnwise.engine.judge.usual_judge import BY_OPTION
from turnwise.tui.app.app import Opening, TurnwiseApp
from turnwise.tui.app.guarding import guarded_threads
from turnwise.tui.app.lock_words import LockWords
from turnwise.tui.settings.settings import load_settings
from turnwise.tui.settings.themes import choose_theme

if TYPE_CHECKING:
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.tui.record.talk_plan import TalkPlan


def run_app(
    db: Path | None = None,
    *,
    record: TalkPlan | None = None,
    replay: int | None = None,
    demo: bool = False,
    mouse: bool = True,
    judge: ModelSettings | None = None,
    theme: str | None = None,
    tell: Told = lambda share: None,
    begun: Callable[[], bool] = lambda: False,
) -> int:
    """Run the app on a database and return its exit code.

    mouse: without it the terminal's own selecting works. judge: the one that runs use. theme: one of
    THEME_NAMES; None for that of the settings, else one that suits the terminal. tell: is given how much is
    done, from 0 to 1, of bringing an old database up to date. begun: called when the app takes the terminal;
    returns whether that shows its other screen already. Raises StoreError, SettingError, NotFoundError
    for a session that is named, and whatever TurnwiseError ended the app, when the terminal is as it was.
    """
    settings = load_settings()
    theme = choose_theme(theme, settings.theme, os.environ)
    words = LockWords()
    with Store.open(db, patience=words.patience, tell=tell) as store:
        if replay is not None:
            store.sessions.get(replay)
        if record is not None and record.session is not None:
            store.sessions.case(record.session)
        app = TurnwiseApp(store, Opening(record, replay, demo, begun), settings=settings, theme=theme)
        app.guarded, words.app = True, app
        if judge is not None:
            app.judge.take(judge, BY_OPTION)
        with store.impatient(), guarded_threads(app):
            code = app.run(mouse=mouse and settings.mouse)
        if app.error is not None:
            raise app.error
        return code or app.return_code or 0
