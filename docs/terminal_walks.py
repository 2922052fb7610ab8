"""The ways through the app that `terminal_pictures.py` goes: screens, and the keys from one to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Steps = Sequence[tuple[str, Sequence[str]]]
"""Screens, each by the keys that lead to it from the one before, as xdotool names them."""
DEMO: Steps = (
    ("tour", ()),
    ("library", ("Escape",)),
    ("help", ("question",)),
    ("palette", ("Escape", "ctrl+p")),
    ("settings", ("Escape", "F9")),
    ("filter", ("Escape", "slash", "l", "a", "b", "e", "l", "colon")),
    ("sort", ("Escape", "Escape", "o")),
    ("columns", ("Escape", "W")),
    ("frequency", ("Escape", "ctrl+f")),
    ("overview", ("Escape", "2")),
    ("heat-map", ("H",)),
    ("queues", ("Escape", "3")),
    ("modes", ("4",)),
    ("rates", ("percent",)),
    ("criteria", ("5",)),
    ("agreement", ("6",)),
    ("learn", ("Y",)),
    ("runs", ("Escape", "7")),
    ("compare", ("Escape", "C")),
    ("pair", ("Return",)),
    ("review", ("Escape", "Escape", "g", "Return", "s")),
    ("review-info", ("i",)),
    ("review-scores", ("i", "Tab")),
    ("why", ("w",)),
    ("score", ("Escape", "Escape", "Escape", "r")),
    ("judge", ("Escape", "L")),
    ("import", ("Escape", "b")),
    ("export", ("Escape", "e")),
    ("talk", ("Escape", "ctrl+n")),
    ("replay", ("Escape", "R")),
)
CHANGES: Steps = (
    ("no-match", ("slash", *"zeppelin")),
    ("marked", ("Escape", "Escape", "space", "j", "space", "j", "space")),
    ("tags", ("t",)),
    ("filters", ("Escape", "F")),
    ("mode-choice", ("Escape", "m")),
    ("menu", ("Escape", "shift+F10")),
    ("jump", ("Escape", "apostrophe")),
    ("sorted", ("Escape", "Escape", "o", "j", "Return")),
    ("column-choice", ("ctrl+f", "ctrl+g")),
    ("mode-new", ("Escape", "Escape", "4", "l", "ctrl+n")),
    ("mode-edit", ("Escape", "E")),
    ("mode-pick", ("Escape", "M")),
    ("queue-mode", ("Escape", "3", "Return")),
    ("queue-failed", ("f",)),
    ("queue-new", ("Escape", "Escape", "Escape", "3", "Q")),
    ("queue-size", ("j", "j", "Tab", "ctrl+u", "1")),
    ("queue-end", ("Return", "p", "p")),
    ("runs-chosen", ("Escape", "7", "space", "j", "space")),
    ("run-name", ("E",)),
    ("criteria-judged", ("Escape", "5")),
    ("locate", ("shift+2",)),
    ("locate-progress", ("Return",)),
    ("judge-used", ("Escape", "Escape", "Escape", "L")),
    ("trial", ("T",)),
    ("trial-progress", ("Return",)),
    ("metrics-found", ("Escape", "Escape", "Escape", "1", "r", "slash", *"tool")),
    ("progress", ("Escape", "Escape", "r", "Return")),
    ("progress-runs", ("7",)),
    ("quit", ("1", "q")),
)
EMPTY: Steps = (
    ("first-start", ()),
    ("overview-empty", ("2",)),
    ("queues-empty", ("3",)),
    ("modes-empty", ("4",)),
    ("criteria-empty", ("5",)),
    ("agreement-empty", ("6",)),
    ("runs-empty", ("7",)),
    ("judge-empty", ("1", "L")),
    ("import-empty", ("Escape", "b")),
    ("import-chosen", ("Down", "Return")),
    ("mapping", ("F3",)),
    ("speakers", ("Escape", "Escape", "b", "Down", "Down", "Return", "Return")),
)
FILES = {
    "calls.jsonl": '{"call": 1, "said": [{"by": "caller", "line": "Is my parcel there?"}, '
    '{"by": "desk", "line": "It comes on Friday."}], "shop": "north", "stars": 4}\n',
    "team.txt": "[12.05.26, 09:00:01] Ana: Is the boiler on?\n[12.05.26, 09:00:09] Boiler Bot: It is.\n"
    "[12.05.26, 09:01:12] Raj: And the pump?\n[12.05.26, 09:01:20] Boiler Bot: The pump too.\n",
}
"""What lies in the folder that the app is opened in: files that say too little of themselves."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A way through the app. command: what opens it. judged: whether a judge is named that never answers."""

    steps: Steps
    command: Sequence[str] = ("demo",)
    judged: bool = False

    def opened(self, judge: str) -> Sequence[str]:
        """Return the command that opens the app, and its options. judge: the address of the silent one."""
        return (*self.command, "--judge", judge) if self.judged else self.command


WALKS: Mapping[str, Walk] = {
    "demo": Walk(DEMO),
    "changes": Walk(CHANGES, judged=True),
    "empty": Walk(EMPTY, command=()),
}
"""demo looks at what is there, changes labels, names and scores, empty begins without any session."""
