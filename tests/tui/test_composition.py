"""Screens and lists are made of parts: no class of tui exists to be inherited by one other class alone."""

from __future__ import annotations

from collections import defaultdict
from importlib import import_module
from pkgutil import walk_packages

import turnwise.tui

KINDS = {
    kind
    for module in walk_packages(turnwise.tui.__path__, "turnwise.tui.")
    for kind in vars(import_module(module.name)).values()
    if isinstance(kind, type) and kind.__module__ == module.name
}

REMAINING = {
    "DrawnTranscript",
    "TranscriptView",
}
"""Those still to be composed on 2026-11-22."""


def test_no_class_has_one_heir_alone() -> None:
    heirs = defaultdict(set)
    for kind in KINDS:
        for base in kind.__bases__:
            if base in KINDS:
                heirs[base.__qualname__].add(kind.__qualname__)
    assert {base: ours for base, ours in heirs.items() if len(ours) == 1 and base not in REMAINING} == {}
