"""Opening the app from the command line."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import click


def open_app(db: Path | None, **options: Any) -> int:
    """Run the app and return its exit code; see `run_app` for the options and for what is raised.

    What `turnwise` itself was given before the command's name, a theme or --no-mouse, holds too.
    """
    given = click.get_current_context().find_root().params
    options["theme"] = given.get("theme")
    options["mouse"] = options.get("mouse", True) and not given.get("no_mouse")
    # All that is loaded now stays to the end, and looking through it for garbage would take a quarter of the
    # time to the first paint. The app lets the collector go on afterwards.
    gc.disable()
    from turnwise.tui.app import run_app  # textual takes 150 ms

    return run_app(db, **options)
