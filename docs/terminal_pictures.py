"""Takes pictures of the app in a true terminal: xterm on a screen that nobody sees, one picture a screen.

python docs/terminal_pictures.py OUT                             every size in the dark theme
python docs/terminal_pictures.py OUT 80x24,160x50 light,nord     these sizes in these themes
python docs/terminal_pictures.py OUT 80x24 light changes,empty   these walks of `terminal_walks.py` alone

What a picture of `docs/screenshots.py` cannot show is seen here: ghosts, cells of another width, borders that
do not meet, colours that the terminal has otherwise. Themes: those of `turnwise --commands`, and no-color. It
takes Xvfb, xterm, xdotool, and import of ImageMagick. Each walk has a database of its own, made anew.
"""

from __future__ import annotations

import itertools
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from terminal_walks import FILES, WALKS, Walk

SIZES = ("80x24", "120x40", "160x50", "200x60")
SECONDS_TO_OPEN, SECONDS_TO_COME = 8.0, 2.0
FONT = ("-fa", "DejaVu Sans Mono", "-fs", "8")
SCREEN = "1600x1200x24"


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
def silent_judge() -> Iterator[str]:
    """A server that takes every question and never answers; its address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1#slow"


@contextmanager
def app_in_xterm(
    size: str, theme: str, opened: Sequence[str], environment: Mapping[str, str]
) -> Iterator[None]:
    """The app in an xterm of its own. opened: the command that opens it, and its options."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for name, text in FILES.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        own = {"XDG_DATA_HOME": folder, "TURNWISE_CONFIG": f"{folder}/config.toml", "COLORTERM": "truecolor"}
        if theme == "no-color":
            own["NO_COLOR"] = "1"
        turnwise = [str(Path(sys.executable).with_name("turnwise"))]
        themed = [] if theme == "no-color" else ["--theme", theme]
        command = ["xterm", *FONT, "-tn", "xterm-256color", "-geometry", f"{size}+0+0", "-b", "0", "-e"]
        started = [*command, *turnwise, *themed, *opened]
        with subprocess.Popen(started, env={**environment, **own}, cwd=folder) as xterm:
            time.sleep(SECONDS_TO_OPEN)
            try:
                yield
            finally:
                xterm.terminate()


def take_pictures(out: Path, size: str, theme: str, walk: Walk, environment: Mapping[str, str]) -> None:
    """Walk through the screens in one size and theme, and write a picture of each."""
    with silent_judge() as judge, app_in_xterm(size, theme, walk.opened(judge), environment):
        subprocess.run(["xdotool", "search", "--class", "xterm", "windowfocus"], env=environment, check=True)
        for name, keys in walk.steps:
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
    walks = sys.argv[4].split(",") if len(sys.argv) > 4 else list(WALKS)
    with unseen_screen() as display:
        environment = {name: value for name, value in os.environ.items() if name not in ("TMUX", "NO_COLOR")}
        for theme in themes:
            for size, walk in itertools.product(sizes, walks):
                take_pictures(out, size, theme, WALKS[walk], {**environment, "DISPLAY": display})


if __name__ == "__main__":
    main()
