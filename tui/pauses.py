"""Pauses: what Python itself stops the app for, made short or put off until nobody presses a key."""

from __future__ import annotations

import gc
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwise.tui.base_app import BaseApp

SWITCH_SECONDS = 0.001
"""A thread that computes gives way after so long. By default it is five times that, several times a frame."""
THRESHOLDS = (700, 10, 25)
"""As Python's own but for the last: all objects are gone through less often, at the price of some memory."""
SECONDS_STILL = 0.5
"""So long after the last key they are gone through."""
WORTH = 10
"""Where so many smaller collections came before; as often as Python would by itself."""


def keep_pauses_short(app: BaseApp) -> None:
    """Go on with what garbage collection there is, from now on between the keys where that can be.

    To go through all objects takes a tenth of a second where a long conversation is open.
    """
    # What is there now is there for good.
    gc.freeze()
    gc.enable()
    gc.set_threshold(*THRESHOLDS)
    sys.setswitchinterval(SWITCH_SECONDS)
    app.set_interval(SECONDS_STILL, partial(collect_if_still, app))


def collect_if_still(app: BaseApp) -> None:
    """Collect what garbage there may be, unless a key was pressed just now."""
    if time.monotonic() - app.heard_at >= SECONDS_STILL and gc.get_count()[2] >= WORTH:
        gc.collect()
