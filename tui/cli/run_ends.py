"""Run ends: a long run on the command line tells its end as the settings say, where a terminal is there."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from turnwise.conversations.errors import TurnwiseError
from turnwise.tui.cli.interrupts import INTERRUPTED
from turnwise.tui.terminal.notices import LONG_RUN_SECONDS, notice

_WORDS = {0: "All passed.", 1: "Something did not pass or could not be judged."}


def telling_end(name: str, work: Callable[[], int]) -> int:
    """Do the work of a command, tell its end where it took long, and return the exit code.

    name: of the command. Raises what the work raises.
    """
    began = time.monotonic()
    try:
        code = work()
    except TurnwiseError as error:
        _tell(f"{name} could not finish. {error.title}", began)
        raise
    if code != INTERRUPTED:
        _tell(f"{name} has ended. {_WORDS.get(code, '')}".strip(), began)
    return code


def _tell(text: str, began: float) -> None:
    if time.monotonic() - began < LONG_RUN_SECONDS or not sys.stderr.isatty():
        return
    # Settings take 50 ms to read, and a mistake in them ends no run that is done.
    from turnwise.tui.settings.settings import load_settings

    with suppress(TurnwiseError):
        sys.stderr.write(notice(load_settings().notify, text, os.environ))
        sys.stderr.flush()
