"""The command `turnwise`: its options, its commands by name, and how errors reach a person.

A command's module is loaded when the command is called, so that none pays for another's imports.
"""

from __future__ import annotations

import errno
import io
import os
import shlex
import sqlite3
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from turnwise.conversations.errors import (
    DamageError,
    SettingError,
    StoreBusyError,
    StoreError,
    TurnwiseError,
)
from turnwise.conversations.words import nearest
from turnwise.tui.cli.command_names import COMMANDS, GROUPS
from turnwise.tui.cli.interrupts import INTERRUPTED, interrupts
from turnwise.tui.cli.output import narrate
from turnwise.tui.ending import end_on_signals
from turnwise.tui.settings.theme_names import THEMES_IN_WORDS

_EPILOG = """\b
Examples:
  turnwise demo
  turnwise import chats.jsonl --role "A bank's service agent"
  turnwise score --all --metric role_adherence --judge embedded
  turnwise sessions 'role_adherence<0.5'

\b
With a screen reader, or without a screen, these print what the app shows:
  sessions, show, why, overview --table, queue, modes, criteria, runs, compare
  label SESSION pass|fail, tags and agree take and print what people say.
  TURNWISE_REDUCED_MOTION=1 keeps the app still; its title says where you are.

\b
Exit codes: 0 fine; 1 something did not pass; 2 wrong use or bad input;
3 the run could not finish; 130 interrupted.
"""


class _Commands(click.Group):
    """The commands, each loaded when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"turnwise.tui.cli.{COMMANDS[cmd_name][0]}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = nearest(args[0], COMMANDS)
            meant = _file_words(args[0]) or (f"Did you mean '{near}'?" if near else "")
            if not meant:
                raise
            raise click.UsageError(f"{error.message} {meant}", ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            # Whoever read our output has gone; Python must not complain about it at exit either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except (sqlite3.DatabaseError, ValueError, TypeError, LookupError, AttributeError) as error:
            if not isinstance(error, TurnwiseError) and (damage := _damage_behind(error, ctx.obj)):
                raise damage from error
            raise
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise StoreError("The output cannot be written", detail=os.strerror(errno.ENOSPC)) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by groups, then the options: all has room in a terminal of 24 lines."""
        with formatter.section("Commands"):
            formatter.write_dl([(group, "  ".join(names)) for group, names in GROUPS.items()])
        click.Command.format_options(self, ctx, formatter)


def _file_words(typed: str) -> str:
    """Say what opens a file that was given in the place of a command; empty where there is no such file."""
    if not Path(typed).is_file():
        return ""
    written = shlex.quote(typed)
    if Path(typed).suffix == ".db":
        return f"It is a file: `turnwise --db {written}` opens it as a database."
    return f"It is a file: `turnwise import {written}` brings it in."


def commands_in_words(context: click.Context) -> str:
    """Return what each command does, one a line, and the names of the themes."""
    formatter = context.make_formatter()
    # Written from the table, because loading ten modules for their first line takes a second.
    with formatter.section("Commands"):
        formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])
    formatter.write_paragraph()
    formatter.write_text("`turnwise COMMAND --help` says more of each, with examples.")
    formatter.write_paragraph()
    formatter.write_text(f"Themes: {THEMES_IN_WORDS}.")
    return formatter.getvalue().rstrip("\n")


def _damage_behind(error: Exception, db: Path | None) -> TurnwiseError | None:
    """Return the words for an error that comes of a damaged database; None for any other.

    It looks through the whole file, and where that is damaged nothing is written to it from then on.
    """
    from turnwise.conversations.store import damage_error, default_path, fault_of, note_damage

    known = fault_of(error) if isinstance(error, sqlite3.Error) else None
    if known is not None and not isinstance(known, DamageError):
        return None
    path = db or default_path()
    return damage_error(error, path) if path.exists() and note_damage(path) else known


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The database, else TURNWISE_DB, else your data folder's.",
)
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal, to select and copy.")
@click.option("--theme", metavar="NAME", help="Such as dark or light, else TURNWISE_THEME.")
@click.option("--commands", is_flag=True, help="Say what each command does, and name the themes.")
@click.option("--version", is_flag=True, help="Print the version and stop.")
@click.pass_context
def turnwise(
    context: click.Context, db: Path | None, no_mouse: bool, theme: str | None, commands: bool, version: bool
) -> None:
    """Read, judge and replay chatbot conversations in the terminal.
    Without a command, the app opens on your library; `turnwise demo` shows it on samples.
    """
    context.obj = db
    if version:
        from importlib.metadata import version as installed  # 30 ms

        click.echo(installed("turnwise"))
    elif commands:
        click.echo(commands_in_words(context))
    elif context.invoked_subcommand is None:
        # Textual reads the first and draws on the last; whoever pipes the second wants data.
        if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
            raise SettingError(
                "The app needs a terminal",
                next_step="`turnwise sessions` lists what it shows; `turnwise --help` names all commands.",
            )
        from turnwise.tui.cli.opening import open_app

        context.exit(open_app(db))


def main() -> None:
    """Run the command line, and end the process with its exit code."""
    interrupts.begin()
    _fill_closed_places()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a mark shows a question mark; that is no reason to stop.
            stream.reconfigure(errors="replace")
    end_on_signals()
    code = run(sys.argv[1:])
    interrupts.end()
    sys.exit(INTERRUPTED if interrupts.presses else code)


def _fill_closed_places() -> None:
    """Let a program that was started without a place to read or write, as by `<&-`, use nowhere."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is taken, which is this one: no other file may take it.
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or Path(os.devnull).open()  # noqa: SIM115
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit code; what went wrong is told on standard error."""
    try:
        done = turnwise.main(arguments, prog_name="turnwise", standalone_mode=False)
        return done if isinstance(done, int) else 0
    except click.exceptions.Exit as end:
        return int(end.exit_code)
    except click.ClickException as error:
        told = io.StringIO()
        error.show(told)
        narrate(told.getvalue().rstrip())
        if isinstance(error, click.MissingParameter) and (examples := _examples_of(error.ctx)):
            narrate(f"Such as: {examples}")
        if isinstance(error, click.UsageError) and error.ctx is None:
            narrate("Try 'turnwise --help' for help.")
        return 2
    except (KeyboardInterrupt, click.Abort):
        narrate("Interrupted.")
        return INTERRUPTED
    except StoreBusyError as error:
        if interrupts.presses:
            narrate("Interrupted.")
            return INTERRUPTED
        tell_error(error)
        return error.exit_code
    except TurnwiseError as error:
        if os.environ.get("TURNWISE_TRACEBACK"):
            raise
        tell_error(error)
        return error.exit_code
    except Exception as mistake:
        if os.environ.get("TURNWISE_TRACEBACK"):
            raise
        from turnwise.tui.app.crash import crash_error, known_error

        told_error = known_error(mistake) or crash_error(mistake)
        tell_error(told_error)
        return told_error.exit_code


def _examples_of(context: click.Context | None) -> str:
    """Return the first two examples of a command, to type as they are; empty where it has none in a line."""
    epilog = context.command.epilog if context is not None else None
    lines = [line.strip() for line in (epilog or "").split("\n\n")[0].splitlines()]
    whole = [line for line in lines if line.startswith("turnwise ") and not line.endswith("\\")]
    return ", ".join(f"`{line}`" for line in whole[:2])


def tell_error(error: TurnwiseError) -> None:
    """Print an error on standard error: what happened, where, and what to do now."""
    narrate(f"Error: {error.title}")
    for line in error.detail.splitlines():
        narrate(f"  {line}")
    if error.next_step:
        narrate(f"  → {error.next_step}")
