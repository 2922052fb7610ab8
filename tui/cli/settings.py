"""turnwise settings: where they are, what holds, and editing them."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import asdict

import click

from turnwise.conversations.errors import SettingError
from turnwise.tui.cli.options import CommandGroup, json_option
from turnwise.tui.cli.output import columns, emit, narrate, say

_EPILOG = """\b
Examples:
  turnwise settings
  turnwise settings --json
  turnwise settings edit
  turnwise settings maps --remove helpdesk

\b
The file is TOML; whatever it does not say holds as it comes:
  theme = "dark"          # `turnwise --commands` names all; f9 in the app shows them
  author = "Mia"          # who labels
  judge = "embedded"      # as --judge takes it; L in the app writes it
  judge_timeout = 60      # seconds that a judge may take for one answer
  judge_tries = 3         # how often it is asked the same
  judge_longest_wait = 300  # seconds that are waited where it asks to
  mouse = true
  motion = "reduced"      # nothing moves by itself; full
  terminal_title = true   # the terminal's title says where you are
  blind = true            # scores stay hidden until you label
  next_in_queue = true      # in a queue a pass or defer opens the next session
  next_after_label = false  # in other lists too
  links = true            # addresses can be opened from the terminal
  notify = "never"        # at the end of a long run: never, bell, or terminal, which shows a notice
  [maps]                  # what stands where in your files, as --map takes it; --use-map names one
  helpdesk = "messages=log.events,role=who,content=data.text"
  [keymap.library]        # the keys of a screen's actions; docs/reference/keys.md names them
  score = ["S", "f5"]

\b
TURNWISE_CONFIG names another folder or file. --theme and TURNWISE_THEME, --judge and TURNWISE_JUDGE go
before the file, NO_COLOR before any theme.
"""
WIDEST_CELL = 4096
"""Cells: a path is told whole."""
_FIRST_TEXT = """\
# Settings of turnwise; `turnwise settings --help` explains them.
# theme = "dark"          # f9 in the app shows all
# author = "Your name"
# judge = "embedded"
# judge_timeout = 60
# judge_tries = 3
# judge_longest_wait = 300
# mouse = true
# motion = "reduced"
# terminal_title = true
# blind = true
# next_in_queue = true
# next_after_label = false
# links = true
# notify = "never"        # never, bell, terminal
# [keymap.library]
# score = "S"
"""


@click.group("settings", cls=CommandGroup, invoke_without_command=True, epilog=_EPILOG)
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """Say where your settings are and what holds.

    A mistake in the file is told with its line and field.
    """
    if context.invoked_subcommand is not None:
        return
    from turnwise.engine.judge.usual_judge import JUDGE_VARIABLE, settings_path, shown_judge
    from turnwise.tui.settings.settings import load_settings

    path = settings_path()
    settings = load_settings(path)
    held = {"file": str(path), "exists": path.exists(), **asdict(settings)}
    held["judge"] = settings.judge and shown_judge(settings.judge)
    if as_json:
        emit(held)
        return
    if not path.exists():
        narrate("There is no file yet; `turnwise settings edit` makes one.")
    rows = [
        [name, _written(value)] for name, value in held.items() if name not in ("exists", "keymap", "maps")
    ]
    rows += [[f"maps.{name}", text] for name, text in settings.maps.items()]
    rows += [[f"keymap.{name}", _written(value)] for name, value in _flat(settings.keymap)]
    for line in columns(rows, most=WIDEST_CELL):
        say(line)
    for variable in ("TURNWISE_THEME", "TURNWISE_REDUCED_MOTION", JUDGE_VARIABLE):
        if os.environ.get(variable):
            narrate(f"{variable} is set, and goes before the file.")


@command.command("edit")
def edit() -> None:
    """Open the settings in $VISUAL or $EDITOR, then check them."""
    from turnwise.engine.judge.usual_judge import settings_path
    from turnwise.tui.settings.settings import load_settings, write_settings

    path = settings_path()
    if not path.exists():
        try:
            write_settings(_FIRST_TEXT, path)
        except OSError as error:
            raise SettingError(
                "The settings cannot be made",
                detail=f"{path}: {error.strerror or error}",
                next_step="Name another folder in TURNWISE_CONFIG.",
            ) from None
    program = os.environ.get("VISUAL") or os.environ.get("EDITOR") or _usual_editor()
    words = shlex.split(program)
    if not words or shutil.which(words[0]) is None:
        raise SettingError(
            "There is no editor to open",
            detail=f"Wanted: {program or 'vi or nano'}; the file: {path}",
            next_step="Set EDITOR to the program you write with.",
        )
    done = subprocess.run([*words, str(path)], check=False)
    if done.returncode:
        raise SettingError("The editor ended with an error", detail=f"{program}: {done.returncode}")
    load_settings(path)
    narrate(f"All of {path} is understood.")


@command.command("maps")
@click.option("--remove", metavar="NAME", help="Forget the mapping NAME.")
@json_option
def maps(remove: str | None, as_json: bool) -> None:
    """List what `turnwise import --save-map NAME` kept, for `--use-map NAME`."""
    from turnwise.tui.settings.kept_maps import forget_map, kept_maps

    if remove is not None:
        forget_map(remove)
        if as_json:
            emit({"name": remove, "removed": True})
        else:
            narrate(f"Removed: {remove}.")
        return
    kept = kept_maps()
    if as_json:
        for name, text in kept.items():
            emit({"name": name, "map": text})
        return
    if not kept:
        narrate("No mapping is kept yet: turnwise import FILE --map ... --save-map NAME")
        return
    for line in columns(
        [["name", "mapping"], *([name, text] for name, text in kept.items())], most=WIDEST_CELL
    ):
        say(line)


def _usual_editor() -> str:
    names = ("notepad",) if sys.platform == "win32" else ("nano", "vi")
    return next((name for name in names if shutil.which(name)), "")


def _flat(keymap: dict[str, object], above: str = "") -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for name, value in keymap.items():
        found += _flat(value, f"{name}.") if isinstance(value, dict) else [(above + name, value)]
    return found


def _written(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
