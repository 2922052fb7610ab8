"""Pauses: what Python itself stops the app for, made short or put off until nobody presses a key."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from textual.app import App

SWITCH_SECONDS = 0.001
"""A thread that computes lets others go on after so long. Python's own five times that is several frames."""
THRESHOLDS = (700, 10, 25)
"""When Python collects garbage, as `gc.set_threshold` takes it. Only the last differs from Python's own: all
objects are gone through less often, at the price of some memory."""
SECONDS_STILL = 0.5
"""Garbage is collected once no key was pressed for so long."""
LEAST_COLLECTIONS = 10
"""All objects are gone through after so many collections of the younger ones, as often as by itself."""


def keep_pauses_short(app: App[Any], heard_at: Callable[[], float]) -> None:
    """Collect garbage between the keys from now on, as far as that can be.

    To go through all objects takes a tenth of a second where a long conversation is open. heard_at: tells
    when a key was heard last, on the clock of `time.monotonic`.
    """
    # Whatever there is at the start stays for good, and need never be gone through.
    gc.freeze()
    gc.enable()
    gc.set_threshold(*THRESHOLDS)
    sys.setswitchinterval(SWITCH_SECONDS)
    app.set_interval(SECONDS_STILL, partial(collect_if_still, heard_at))


def collect_if_still(heard_at: Callable[[], float]) -> None:
    """Collect what garbage there may be, unless a key was pressed just now."""
    if time.monotonic() - heard_at() >= SECONDS_STILL and gc.get_count()[2] >= LEAST_COLLECTIONS:
        gc.collect()
