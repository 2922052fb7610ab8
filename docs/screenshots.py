"""Draws the pictures of the screens: our samples with recorded outcomes, so that no model is needed.

python docs/screenshots.py                          those of the docs, into docs/pictures, 120x40 and dark
python docs/screenshots.py NAME...                  only these
python docs/screenshots.py --all 80x24 light OUT    every screen, in a size and a theme, into the folder OUT

Themes: those of `turnwise --commands`, and no-color. A new screen is one more line in PICTURES. Time stands
still while it draws, so that the same screens make the same pictures.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.pilot import Pilot

HERE = Path(__file__).parent
OUT = HERE / "pictures"
SIZE = (120, 40)
NOW = 1_779_100_000.0
"""When the pictures are taken: 18 May 2026, in seconds since 1970."""
STILL = 6
"""How many looks in a row have to find the same screen, and no worker busy, before it is taken."""
SECONDS_TO_COME = 6.0


@dataclass(frozen=True, slots=True)
class Picture:
    """One screen and the way to it.

    name: of the file. keys: what is pressed from the library on; an action, such as "library.agreement", is
    taken by its key, and any other text of several letters that is no key's name is typed. shows: a text that
    is there when the screen is. docs: whether it stands in the docs. demo: in the database of the demo.
    opening: what the app is opened with, as `Opening` takes it. empty: in a database without anything. store:
    what the database holds beyond the samples: names of DRESSINGS. seconds: how long it is waited for.
    """

    name: str
    keys: tuple[str, ...]
    shows: str
    docs: bool = True
    opening: Mapping[str, Any] = field(default_factory=dict)
    empty: bool = False
    demo: bool = False
    store: tuple[str, ...] = ()
    seconds: float = SECONDS_TO_COME


KETTLE = ("slash", "kettle", "enter")
"""Finds the session whose judge calls were recorded too."""
_COMPARED = (
    *("library.review_queues", "queues.pairs", "j", "tab", "8", "enter"),
    "preferring.prefer_left",
)
"""Makes eight pairs of the demo's two versions, and prefers the left one of the first."""
PICTURES = (
    Picture("library", ("library.cursor_down",) * 3, "64 sessions", demo=True),
    Picture("library-samples", ("j", "j"), "14 sessions", docs=False),
    Picture("overview", ("library.overview",), "knowledge retention", demo=True),
    Picture("tour", (), "tour 1 of 9", docs=False, demo=True, opening={"demo": True}),
    Picture("library-empty", (), "No sessions yet", empty=True, docs=False),
    Picture("library-filter", ("slash", "role<0.9"), " of 14", docs=False),
    Picture("library-no-match", ("slash", "zeppelin"), "Nothing matches", docs=False),
    Picture("library-wrong-filter", ("slash", "rol:x"), "does not know", docs=False),
    Picture("library-selected", ("space", "j", "space", "j", "space"), "3 selected", docs=False),
    Picture("review", ("g", "j", "enter", "review.reveal", "n", "n"), "role adherence"),
    Picture("review-scores", ("g", "j", "enter", "review.reveal", "tab", "j"), "role adherence", docs=False),
    Picture("review-blind", ("g", "j", "enter"), "hidden", docs=False),
    Picture("review-labelled", ("g", "j", "enter", "n", "f"), "undo", docs=False),
    Picture("review-note", ("g", "j", "enter", "c", "Gives stock tips."), "stock tips", docs=False),
    Picture("review-find", (*KETTLE, "enter", "slash", "kettle"), " of ", docs=False),
    Picture("review-unscored", ("enter",), "No scores", docs=False, opening={"unscored": True}),
    Picture("history", (*KETTLE, "enter", "h"), "Labels of “", docs=False, store=("history",)),
    Picture("images", ("enter", "review.pictures"), "Image 1 of 2", docs=False, store=("images",)),
    Picture(
        "why", (*KETTLE, "enter", "review.reveal", "review.why", "why.next_score", "why.next_score"), "call 1"
    ),
    Picture("replay", ("g", "j", "library.replay", *("right",) * 12, "comma"), "Replay"),
    Picture("talk", ("library.record",), "chatbot", docs=False),
    Picture("score", ("library.score",), "stays in its role", docs=False),
    Picture("judge", ("library.judge",), "judge", docs=False),
    Picture("import", ("library.import",), "import", docs=False),
    Picture("queue", ("library.queues",), "queue", docs=False, store=("queues",)),
    Picture("queue-first", ("library.queues",), "queue", docs=False),
    Picture("queues", ("library.review_queues",), "to label", docs=False, store=("queues",)),
    Picture(
        "score-own-judge",
        ("library.score", "score.own_judge"),
        "Which model judges by",
        docs=False,
        demo=True,
    ),
    Picture("pairs", ("library.review_queues", "queues.pairs"), "new: by", docs=False, demo=True),
    Picture("pair-preferred", _COMPARED, "compared", docs=False, demo=True),
    Picture("pairs-end", (*_COMPARED, *("left", "right") * 4), "You compared all", docs=False, demo=True),
    Picture("queues-empty", ("library.review_queues",), "No queues yet", docs=False, empty=True),
    Picture(
        "queue-mode", ("library.review_queues", "enter", "review.label_fail"), "done", docs=False, demo=True
    ),
    Picture(
        "queue-end",
        ("library.review_queues", "enter", "review.label_pass"),
        "is done",
        docs=False,
        store=("modes", "last queue"),
    ),
    Picture("runs", ("library.runs",), "4 runs", docs=False, demo=True),
    Picture("runs-empty", ("library.runs",), "No runs yet", docs=False, empty=True),
    Picture("heat-map", ("library.overview", "overview.heat_map"), "passes from", docs=False, demo=True),
    Picture("overview-empty", ("library.overview",), "verview", docs=False, empty=True),
    Picture("review-info", ("enter", "review.reveal", "review.info"), "About", docs=False, demo=True),
    Picture("frequency", ("library.frequency",), "most sessions first", docs=False, demo=True),
    Picture("column-choice", ("library.frequency", "frequency.by"), "What to count", docs=False, demo=True),
    Picture("tags", ("library.tag",), "tag", docs=False),
    Picture("filters", ("library.filters",), "to review", docs=False, store=("filters",)),
    Picture("filters-none", ("library.filters",), "filter", docs=False),
    Picture("columns", ("library.columns",), "tick none", docs=False),
    Picture("sort", ("library.sort",), "Sort", docs=False),
    Picture("export", ("library.export",), "xport", docs=False),
    Picture("mode-choice", ("library.give_mode",), "mode", docs=False, store=("modes",)),
    Picture("modes-notes", ("library.failure_modes",), "stock tips", docs=False, store=("modes",)),
    Picture(
        "modes-named",
        ("library.failure_modes", "failure_modes.modes"),
        "Leaves its role",
        docs=False,
        store=("modes",),
    ),
    Picture("modes-rates", ("library.failure_modes", "failure_modes.rates"), "Asks again", demo=True),
    Picture(
        "modes-by-tag",
        ("library.failure_modes", "failure_modes.rates", "failure_modes.by", "failure_modes.by"),
        "Leaves its role",
        docs=False,
        store=("modes",),
    ),
    Picture(
        "modes-new",
        ("library.failure_modes", "failure_modes.modes", "failure_modes.add"),
        "Definition",
        docs=False,
        store=("modes",),
    ),
    Picture(
        "modes-none", ("library.failure_modes", "failure_modes.modes"), "No failure modes yet", docs=False
    ),
    Picture("modes-empty", ("library.failure_modes",), "Read", docs=False, empty=True),
    Picture("criteria", ("library.criteria",), "Tried on", demo=True),
    Picture(
        "criteria-writing",
        ("library.criteria", "criteria.new"),
        "leave the text",
        docs=False,
        store=("criterion",),
    ),
    Picture("criteria-empty", ("library.criteria",), "write the first one", docs=False, empty=True),
    Picture("versions", ("library.criteria", "criteria.versions"), "v1", docs=False, store=("criterion",)),
    Picture(
        "test-split",
        ("library.criteria", "criteria.test"),
        "Use the test split",
        docs=False,
        store=("criterion",),
    ),
    Picture("agreement", ("library.agreement",), "One more bag", demo=True),
    Picture("agreement-empty", ("library.agreement",), "Agreement", docs=False, empty=True),
    Picture("learn-too-few", ("library.agreement", "agreement.learn"), "Too few", docs=False, demo=True),
    Picture(
        "learned",
        ("library.agreement", "agreement.learn", "enter", "enter"),
        "What it rests on",
        docs=False,
        store=("learnable",),
        seconds=90.0,
    ),
    Picture("agreement-of-one", ("library.agreement", "agreement.author"), "yours", docs=False, demo=True),
    Picture("simulate", ("library.simulate",), "simulated users", docs=False),
    Picture("overview-by", ("library.overview", "overview.by"), "Failure modes, by", docs=False, demo=True),
    Picture("compare", ("library.compare",), "32 cases in both", demo=True),
    Picture("compare-targets", ("library.compare",), "cases in both", docs=False, store=("targets",)),
    Picture("compare-pair", ("library.compare", "enter"), "short", store=("targets",)),
    Picture("compare-run", ("library.compare", "compare.choose_a"), "run", docs=False, store=("targets",)),
    Picture("compare-empty", ("library.compare",), "Compare", docs=False, empty=True),
    Picture("help", ("g", "j", "enter", "question_mark"), "marks and words below", docs=False),
    Picture("palette", ("ctrl+p", "kettle"), "open session", docs=False),
    Picture("palette-open", ("ctrl+p",), "review", docs=False),
    Picture("settings", ("everywhere.settings",), "high-contrast", docs=False),
    Picture("menu", ("j", "shift+f10"), "review", docs=False),
    Picture("record", ("library.record", "tab"), "chatbot", docs=False),
    Picture("jump", ("apostrophe",), " a ", docs=False),
)


async def draw(picture: Picture, size: tuple[int, int], theme: str, folder: Path, clock: list[float]) -> Path:
    """Go to a screen and write its picture."""
    from picture_stores import AUTHOR, DRESSINGS, fill

    from turnwise.conversations.store import Store
    from turnwise.tui.app.app import Opening, TurnwiseApp
    from turnwise.tui.demo.demo_store import fill as fill_demo
    from turnwise.tui.parts.notice import drop_notes
    from turnwise.tui.settings.settings import Settings
    from turnwise.tui.settings.themes import ANSI, PREFIX

    opening = dict(picture.opening)
    scored = not opening.pop("unscored", False)
    with tempfile.TemporaryDirectory() as made, Store.open(Path(made) / "pictures.db") as store:
        # Criteria are files of the folder that turnwise is started in.
        os.chdir(made)
        clock[0] = NOW - 3 * 3600
        if picture.demo:
            await fill_demo(store)
        elif not picture.empty:
            fill(store, scored=scored)
        clock[0] += 3600
        for dressing in picture.store:
            DRESSINGS[dressing](store)
        clock[0] = NOW
        name = ANSI if theme == "no-color" else PREFIX + theme
        app = TurnwiseApp(store, Opening(**opening), settings=Settings(author=AUTHOR), theme=name)
        app.judge.chosen = True
        app.animation_level = "none"
        async with app.run_test(size=size) as pilot:
            await _settle(pilot)
            for key in map(_key_of_action, picture.keys):
                # A word of several letters that names no key is typed.
                single = len(key) == 1 or key in _KEYS or "+" in key
                for one in [key] if single else [_KEY_OF.get(letter, letter) for letter in key]:
                    await pilot.press(one)
                await _settle(pilot)
            await _until(pilot, lambda: picture.shows in _text(pilot), picture)
            # What is told in passing would stand where the keys are.
            drop_notes(app)
            await _settle(pilot)
            svg = app.export_screenshot(title=f"turnwise · {picture.name}")
    # The picture is to fetch nothing from anywhere.
    svg = re.sub(r"@font-face\s*\{.*?\}\s*", "", svg, flags=re.DOTALL)
    path = folder / f"{picture.name}.svg"
    path.write_text(svg, encoding="utf-8")
    return path


_KEYS = frozenset(
    [
        *("enter", "escape", "space", "tab", "up", "down", "left", "right", "home", "end", "backspace"),
        *("pagedown", "pageup", "slash", "question_mark", "apostrophe", "comma", "full_stop"),
        *("f1", "f2", "f9", "left_square_bracket", "right_square_bracket", "percent_sign", "equals_sign"),
    ]
)
_KEY_OF = {
    " ": "space",
    ":": "colon",
    "<": "less_than_sign",
    ">": "greater_than_sign",
    ".": "full_stop",
    ",": "comma",
    "?": "question_mark",
    "'": "apostrophe",
    "-": "minus",
    "_": "underscore",
    "/": "slash",
}


def _key_of_action(text: str) -> str:
    """Return the key of an action; any other text as it is."""
    from turnwise.tui.actions import ACTIONS

    place, _, name = text.partition(".")
    found = (
        action.keys[0]
        for there in ACTIONS
        if there == place
        for action in ACTIONS[there]
        if action.name == name
    )
    return next(found, text)


async def _settle(pilot: Pilot[int]) -> None:
    """Wait until what was asked for has come: queries and pages are read in threads."""
    before, alike, began = "", 0, time.monotonic()
    while alike < STILL and time.monotonic() - began < SECONDS_TO_COME:
        await pilot.pause(0.05)
        busy = any(worker.is_running for worker in pilot.app.workers)
        now = _text(pilot)
        alike = alike + 1 if now == before and not busy else 0
        before = now


async def _until(pilot: Pilot[int], true: Callable[[], bool], picture: Picture) -> None:
    began = time.monotonic()
    while not true():
        if time.monotonic() - began > picture.seconds:
            raise TimeoutError(f"{picture.name}: {picture.shows!r} never came. There is:\n{_text(pilot)}")
        await pilot.pause(0.05)


def _text(pilot: Pilot[int]) -> str:
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def main(arguments: Sequence[str]) -> int:
    """Draw what is asked for."""
    size, theme, folder, names = SIZE, "dark", OUT, list(arguments)
    if every := arguments[:1] == ["--all"]:
        columns, _, lines = arguments[1].partition("x")
        size, theme, folder, names = (
            (int(columns), int(lines)),
            arguments[2],
            Path(arguments[3]),
            list(arguments[4:]),
        )
    if unknown := {*names} - {picture.name for picture in PICTURES}:
        print(f"There is no picture {', '.join(sorted(unknown))}.")
        return 2
    wanted = [one for one in PICTURES if (one.name in names if names else every or one.docs)]
    folder.mkdir(parents=True, exist_ok=True)
    clock, missed = [NOW], list[str]()
    time.time = lambda: clock[0]
    os.environ["TZ"] = "UTC"
    time.tzset()
    with tempfile.TemporaryDirectory() as home:
        # Nothing of the machine it is drawn on is to be in a picture.
        os.environ.update(TURNWISE_CONFIG=home, TURNWISE_MODELS=home, XDG_DATA_HOME=home)
        os.environ.pop("NO_COLOR", None)
        for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"):
            os.environ.pop(name, None)
        if theme == "no-color":
            os.environ["NO_COLOR"] = "1"
        here = Path.cwd()
        os.chdir(home)
        try:
            for picture in wanted:
                try:
                    print(asyncio.run(draw(picture, size, theme, (here / folder), clock)))
                except TimeoutError as error:
                    print(error)
                    missed.append(picture.name)
        finally:
            os.chdir(here)
    if missed:
        print(f"Not drawn: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
