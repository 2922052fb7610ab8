"""The command `turnwise`: its options, its commands by name, and how errors reach a person.

A command's module is loaded when the command is called, so that none pays for another's imports.
"""

from __future__ import annotations

import errno
import io
import os
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
from turnwise.tui.cli.interrupts import INTERRUPTED, interrupts
from turnwise.tui.cli.output import narrate
from turnwise.tui.ending import end_on_signals
from turnwise.tui.settings.theme_names import THEMES_IN_WORDS

COMMANDS = {
    "demo": ("demo", "The app on sample conversations, in a database of its own."),
    "import": ("reviewing.import_", "Bring conversations in from files."),
    "proxy": ("talking.proxy", "Record what programs say to a server of models."),
    "collect": ("reviewing.collect", "Make sessions of the spans that programs send."),
    "sessions": ("reviewing.sessions", "List and search sessions."),
    "filters": ("reviewing.filters", "List saved filters, keep or forget one."),
    "tags": ("reviewing.tags", "List the tags; give sessions a tag, or take it."),
    "queue": ("reviewing.queue", "Make and follow queues of sessions to review."),
    "show": ("reviewing.show", "Print a session with its scores and labels."),
    "why": ("judging.why", "Print the judge's prompts and replies behind scores."),
    "score": ("judging.score", "Score sessions by metrics and criteria."),
    "run": ("judging.run", "Run a file of test cases: load, let the target answer, check."),
    "label": ("reviewing.label", "Say of a session whether it passes."),
    "adjudicate": ("reviewing.adjudicate", "Settle what people see differently, blind to names."),
    "modes": ("reviewing.modes", "Name the ways to go wrong, and count them."),
    "criteria": ("judging.criteria", "Your own criteria: list them, try them, draft their steps."),
    "overview": ("reviewing.overview", "See how sessions came out, and where they break."),
    "agree": ("judging.agree", "Measure a metric against people's labels."),
    "people": ("judging.people", "Set those who label side by side, and see who drifts."),
    "pairs": ("reviewing.pairs", "Ask which of two sessions is better, and learn which group is."),
    "learn": ("judging.learn", "Learn from your labels what needs no judge."),
    "runs": ("judging.runs", "List the runs: who judged what, and how it came out."),
    "compare": ("judging.compare", "Compare two runs, or two targets, and what flipped."),
    "export": ("reviewing.export", "Write sessions to files, of our own and of other tools."),
    "record": ("talking.record", "Talk to a chatbot and keep every turn."),
    "simulate": ("talking.simulate", "Let played users talk to a chatbot."),
    "goldens": ("talking.goldens", "Draft scenarios from sessions, to be played."),
    "replay": ("talking.replay", "Play a session again."),
    "serve": ("serve", "Show the app in a browser, on this machine alone."),
    "metrics": ("judging.metrics", "List the metrics, or explain one."),
    "test": ("judging.test", "Run tests that judge conversations, by pytest."),
    "bench": ("judging.bench", "Measure judges and metrics against people's ratings."),
    "judge": ("judging.judge", "See, choose, fetch and try judges."),
    "settings": ("settings", "Say where your settings are and what holds; edit them."),
    "backup": ("backup", "Copy the database, all of it, as it is at one moment."),
    "doctor": ("doctor", "Say what turnwise finds on this machine; repair the database."),
}
"""Every command by its name: its module beside this one, and the line that the help says of it."""

_EPILOG = """\b
Examples:
  turnwise demo
  turnwise import chats.jsonl --role "A bank's service agent"
  turnwise score --all --metric role_adherence --judge http://127.0.0.1:11434/v1
  turnwise sessions 'role_adherence<0.5'

\b
With a screen reader, or without a screen: these print what the app shows, in plain lines.
  sessions, show SESSION, why SESSION, overview --table, queue, modes, criteria, agree, runs, compare
  label SESSION pass|fail, tags, queue, modes    say what people say
  TURNWISE_REDUCED_MOTION=1 keeps the app still; its title in the terminal says where you are.

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
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean '{near}'?", ctx) from None

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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # Written from the table above, because loading ten modules for their first line takes a second.
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


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
    help="The database. Default: TURNWISE_DB, or turnwise.db in your data folder.",
)
@click.option(
    "--no-mouse", is_flag=True, help="Leave the mouse to the terminal: its own selecting and copying."
)
@click.option("--theme", metavar="NAME", help=f"One of {THEMES_IN_WORDS}; or TURNWISE_THEME.")
@click.option("--version", is_flag=True, help="Print the version and stop.")
@click.pass_context
def turnwise(
    context: click.Context, db: Path | None, no_mouse: bool, theme: str | None, version: bool
) -> None:
    """Read, judge and replay chatbot conversations in the terminal.

    Without a command, the app opens on your library.
    """
    context.obj = db
    if version:
        from importlib.metadata import version as installed  # 30 ms

        click.echo(installed("turnwise"))
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


def tell_error(error: TurnwiseError) -> None:
    """Print an error on standard error: what happened, where, and what to do now."""
    narrate(f"Error: {error.title}")
    for line in error.detail.splitlines():
        narrate(f"  {line}")
    if error.next_step:
        narrate(f"  → {error.next_step}")
