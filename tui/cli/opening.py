"""Opening the app from the command line."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

import click

from turnwise.tui.terminal.first_words import FirstWords

FRAMES = "480"
"""How many frames Textual draws in a second at the most."""
ESCAPE_MILLISECONDS, FAR_ESCAPE_MILLISECONDS = "2", "10"
"""How long Textual waits, after the escape key, for the rest of a sequence that a terminal might send: one on
this machine, which writes a sequence in one go, and one at the other end of a network, which may part it."""
FAR = ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT")
"""Variables that are set where the terminal is on another machine."""


def open_app(db: Path | None, **options: Any) -> int:
    """Run the app and return its exit code; see `run_app` for the options and for what is raised.

    What `turnwise` itself was given before the command's name, a theme or --no-mouse, holds too.
    """
    given = click.get_current_context().find_root().params
    options["theme"] = given.get("theme")
    options["mouse"] = options.get("mouse", True) and not given.get("no_mouse")
    make_ready()
    first_words = FirstWords()
    try:
        first_words.show()
        from turnwise.tui.app.running import run_app  # textual takes 150 ms
        from turnwise.tui.cli.upgrading import UpgradeWords  # most databases need no upgrade

        with UpgradeWords() as tell:
            return run_app(db, tell=tell, begun=first_words.hand_over, **options)
    finally:
        first_words.take_away()


def make_ready() -> None:
    """Set what has to be set before Textual is loaded."""
    # All that is loaded now stays to the end, and looking through it for garbage would take a quarter of the
    # time to the first paint. The app lets the collector go on afterwards.
    gc.disable()
    # The 100 of Textual are felt at every dialog that closes. Over a slow line ESCDELAY may be set to more.
    is_far = any(os.environ.get(name) for name in FAR)
    os.environ.setdefault("ESCDELAY", FAR_ESCAPE_MILLISECONDS if is_far else ESCAPE_MILLISECONDS)
    # With the 60 of Textual, what a key changes in a second step, as details that a thread reads for the row
    # under the cursor, is seen a sixtieth of a second later. Where nothing changes no frame is drawn.
    os.environ.setdefault("TEXTUAL_FPS", FRAMES)
