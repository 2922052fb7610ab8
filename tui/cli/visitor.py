"""The app of one visitor: what `turnwise serve` starts, with a browser in place of a terminal."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from turnwise.tui.cli.main import tell_error
from turnwise.tui.cli.opening import make_ready
from turnwise.tui.ending import end_on_signals


def main() -> int:
    """Run the app and return its exit code."""
    options = argparse.ArgumentParser(prog="turnwise.tui.cli.visitor")
    options.add_argument("--db", type=Path)
    options.add_argument("--theme")
    options.add_argument("--no-mouse", action="store_true")
    given = options.parse_args()
    end_on_signals()
    # What the browser draws with, whichever terminal the server was started in.
    os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    make_ready()
    from turnwise.conversations.errors import TurnwiseError
    from turnwise.tui.app.running import run_app  # textual takes 150 ms

    try:
        return run_app(given.db, theme=given.theme, mouse=not given.no_mouse)
    except TurnwiseError as error:
        tell_error(error)
        return error.exit_code


if __name__ == "__main__":
    raise SystemExit(main())
