"""Draws the pictures of the screens: our samples with recorded outcomes, so that no model is needed.

python docs/screenshots.py                          those of the docs, into docs/pictures, 120x40 and dark
python docs/screenshots.py NAME...                  only these
python docs/screenshots.py --all 80x24 light OUT    every screen, in a size and a theme, into the folder OUT

Themes: dark, light, high-contrast, ansi, and no-color. A new screen is one more line in PICTURES. Time stands
still while it draws, so that the same screens make the same pictures.
"""

from __future__ import annotations

import asyncio
import json
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

    from turnwise.conversations.store import Store

HERE = Path(__file__).parent
OUT = HERE / "pictures"
RECORDED = OUT / "recorded.jsonl"
SIZE = (120, 40)
NOW = 1_779_100_000.0
"""When the pictures are taken: 18 May 2026, in seconds since 1970."""
SECONDS_TO_COME = 6.0
AUTHOR = "Mia"
THRESHOLD = 0.75
"""What scores pass at in the pictures: a strict reviewer's."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One screen and the way to it.

    name: of the file. keys: what is pressed from the library on; a text of several letters that is no key's
    name is typed. shows: a text that is there when the screen is. docs: whether it stands in the docs.
    opening: what the app is opened with, as `Opening` takes it. empty: in a database without anything.
    """

    name: str
    keys: tuple[str, ...]
    shows: str
    docs: bool = True
    opening: Mapping[str, Any] = field(default_factory=dict)
    empty: bool = False


KETTLE = ("slash", "kettle", "enter")
"""Finds the session whose judge calls were recorded too."""
PICTURES = (
    Picture("library", ("j", "j"), "14 sessions"),
    Picture("library-empty", (), "No conversations yet", empty=True, docs=False),
    Picture("library-filter", ("slash", "role<0.9"), "match", docs=False),
    Picture("library-no-match", ("slash", "zeppelin"), "no match", docs=False),
    Picture("library-wrong-filter", ("slash", "rol:x"), "does not know", docs=False),
    Picture("review", ("g", "j", "enter", "v", "n", "n"), "role adherence"),
    Picture("review-scores", ("g", "j", "enter", "v", "tab", "j"), "role adherence", docs=False),
    Picture("review-blind", ("g", "j", "enter"), "hidden", docs=False),
    Picture("review-find", (*KETTLE, "enter", "slash", "kettle"), " of ", docs=False),
    Picture("review-unscored", ("enter",), "No scores", docs=False, opening={"unscored": True}),
    Picture("why", (*KETTLE, "enter", "v", "w", "J", "J"), "call 1"),
    Picture("replay", ("g", "j", "R", *("right",) * 5, "comma"), "Replay", docs=True),
    Picture("talk", ("n",), "chatbot", docs=False),
    Picture("score", ("r",), "Judge 14 sessions"),
    Picture("judge", ("J",), "judge", docs=False),
    Picture("import", ("i",), "import", docs=False),
    Picture("help", ("g", "j", "enter", "question_mark"), "Here, in the turns"),
    Picture("palette", ("ctrl+p", "kettle"), "open session"),
    Picture("palette-open", ("ctrl+p",), "review", docs=False),
    Picture("jump", ("apostrophe",), " a ", docs=False),
)


def fill(store: Store, *, scored: bool = True) -> None:
    """Put the samples into a store, with their recorded outcomes, judge calls and some labels."""
    from turnwise.conversations.results import Score, Skipped, Verdict
    from turnwise.conversations.samples import load_samples
    from turnwise.conversations.store.rows import CallRow
    from turnwise.conversations.store.scores import Identity

    cases = load_samples()
    ids = {}
    for case in cases:
        added = store.sessions.add(case, source="samples", format="sample", created_at=time.time())
        ids[case.name] = added.session_id
    if not scored:
        return
    lines = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    calls = [CallRow(**line["call"], created_at=time.time()) for line in lines if "call" in line]
    store.calls.add_all([(call, True) for call in calls])
    found: dict[str, list[tuple[Identity, Any]]] = {}
    for line in lines:
        if not (told := line.get("outcome")):
            continue
        shared = {
            "metric": told["metric"],
            "reason": told["reason"],
            "exchange": told["exchange"],
            "calls": tuple(told.get("calls", ())),
            "seconds": told["seconds"],
        }
        outcome: Score | Skipped = Skipped(**shared)
        if told["outcome"] == "score":
            verdicts = tuple(Verdict(**verdict) for verdict in told["verdicts"])
            outcome = Score(**shared, score=told["score"], threshold=THRESHOLD, verdicts=verdicts)
        judge = "none" if len(told["judge"]) != len("qwen2.5-coder-1.5b") else told["judge"]
        identity = Identity(
            ids[told["session"]], told["exchange"], told["metric"], 1, told["metric"], "case", judge, judge
        )
        found.setdefault(judge, []).append((identity, outcome))
    for judge, outcomes in found.items():
        run = store.runs.begin(judge=judge, metrics=sorted({one.metric for one, _ in outcomes}))
        store.scores.add_all(run, outcomes)
        store.runs.finish(run)
    for case in cases[::2]:
        word = "pass" if "good" in (case.tags or ()) else "fail"
        note = "" if word == "pass" else "Not what the role asks for."
        store.labels.add(ids[case.name or ""], word, author=AUTHOR, blind=True, note=note)


async def draw(picture: Picture, size: tuple[int, int], theme: str, folder: Path, clock: list[float]) -> Path:
    """Go to a screen and write its picture."""
    from turnwise.conversations.store import Store
    from turnwise.tui.app import Opening, TurnwiseApp
    from turnwise.tui.settings import Settings
    from turnwise.tui.themes import ANSI, PREFIX

    opening = dict(picture.opening)
    scored = not opening.pop("unscored", False)
    with tempfile.TemporaryDirectory() as made, Store.open(Path(made) / "pictures.db") as store:
        clock[0] = NOW - 3 * 3600
        if not picture.empty:
            fill(store, scored=scored)
        clock[0] = NOW
        name = ANSI if theme == "no-color" else PREFIX + theme
        app = TurnwiseApp(store, Opening(**opening), settings=Settings(author=AUTHOR), theme=name)
        app.judge_chosen = True
        app.animation_level = "none"
        async with app.run_test(size=size) as pilot:
            await _settle(pilot)
            for key in picture.keys:
                # A word of several letters that names no key is typed.
                single = len(key) == 1 or key in _KEYS or "+" in key
                for one in [key] if single else [_KEY_OF.get(letter, letter) for letter in key]:
                    await pilot.press(one)
                await _settle(pilot)
            await _until(pilot, lambda: picture.shows in _text(pilot), picture)
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
        *("pagedown", "pageup", "slash", "question_mark", "apostrophe", "comma", "full_stop", "f1"),
        *("left_square_bracket", "right_square_bracket"),
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


async def _settle(pilot: Pilot[int]) -> None:
    """Wait until what was asked for has come: queries and pages are read in threads."""
    for _ in range(6):
        await pilot.pause(0.05)


async def _until(pilot: Pilot[int], true: Callable[[], bool], picture: Picture) -> None:
    began = time.monotonic()
    while not true():
        if time.monotonic() - began > SECONDS_TO_COME:
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
