"""Takes pictures of the app in a true terminal: xterm on a screen that nobody sees, one picture a screen.

python docs/terminal_pictures.py OUT                          every size in the dark theme
python docs/terminal_pictures.py OUT 80x24,160x50 light,nord  these sizes in these themes

What a picture of `docs/screenshots.py` cannot show is seen here: ghosts, cells of another width, borders that
do not meet, colours that the terminal has otherwise. Themes: those of `turnwise --help`, and no-color. It
takes Xvfb, xterm, xdotool, and import of ImageMagick. It walks through the demo's database, made anew.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

SIZES = ("80x24", "120x40", "160x50", "200x60")
SECONDS_TO_OPEN, SECONDS_TO_COME = 8.0, 1.5
FONT = ("-fa", "DejaVu Sans Mono", "-fs", "8")
SCREEN = "1600x1200x24"
WALK: Sequence[tuple[str, Sequence[str]]] = (
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
    ("runs", ("7",)),
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
"""The screens, each by the keys that lead to it from the one before, as xdotool names them."""


@contextmanager
def unseen_screen() -> Iterator[str]:
    """A screen that nobody sees; the name by which programs find it."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        try:
            yield f":{number}"
        finally:
            server.terminate()


@contextmanager
def app_in_xterm(size: str, theme: str, environment: Mapping[str, str]) -> Iterator[None]:
    """The demo in an xterm of its own."""
    with tempfile.TemporaryDirectory() as folder:
        own = {"XDG_DATA_HOME": folder, "TURNWISE_CONFIG": f"{folder}/config.toml", "COLORTERM": "truecolor"}
        if theme == "no-color":
            own["NO_COLOR"] = "1"
        turnwise = [str(Path(sys.executable).with_name("turnwise"))]
        themed = [] if theme == "no-color" else ["--theme", theme]
        command = ["xterm", *FONT, "-tn", "xterm-256color", "-geometry", f"{size}+0+0", "-b", "0", "-e"]
        with subprocess.Popen([*command, *turnwise, *themed, "demo"], env={**environment, **own}) as xterm:
            time.sleep(SECONDS_TO_OPEN)
            try:
                yield
            finally:
                xterm.terminate()


def take_pictures(out: Path, size: str, theme: str, environment: Mapping[str, str]) -> None:
    """Walk through the screens in one size and theme, and write a picture of each."""
    with app_in_xterm(size, theme, environment):
        subprocess.run(["xdotool", "search", "--class", "xterm", "windowfocus"], env=environment, check=True)
        for name, keys in WALK:
            for key in keys:
                subprocess.run(["xdotool", "key", key], env=environment, check=True)
                time.sleep(SECONDS_TO_COME / 4)
            time.sleep(SECONDS_TO_COME)
            picture = out / f"{size}-{theme}-{name}.png"
            subprocess.run(["import", "-window", "root", "-trim", str(picture)], env=environment, check=True)
            print(picture)


def main() -> None:
    """Take those that the command line names."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        sys.exit(2)
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    sizes = sys.argv[2].split(",") if len(sys.argv) > 2 else SIZES
    themes = sys.argv[3].split(",") if len(sys.argv) > 3 else ["dark"]
    with unseen_screen() as display:
        environment = {name: value for name, value in os.environ.items() if name not in ("TMUX", "NO_COLOR")}
        for theme in themes:
            for size in sizes:
                take_pictures(out, size, theme, {**environment, "DISPLAY": display})


if __name__ == "__main__":
    main()
