"""turnwise replay: play a stored conversation again."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import (
    Event,
    LabelRow,
    ScoreRow,
    SessionModeRow,
    SessionRow,
    TurnRow,
    pause_before,
)
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import json_line, narrate, say
from turnwise.tui.cli.reviewing.show import print_score, print_turn

_EPILOG = """\b
Examples:
  turnwise replay 12                 the player, in the app
  turnwise replay 12 --speed 4       in the terminal, at four times the recorded pace
  turnwise replay 12 --instant
  turnwise replay 12 --as-of 4       as it stood when turn 4 was said
  turnwise replay 12 --cast talk.cast   a film that asciinema plays
  turnwise replay 12 --html talk.html   a page that plays it in a browser
  turnwise replay 12 --json          every event, the same bytes every time
"""


@click.command(epilog=_EPILOG)
@click.argument("session", type=int)
@click.option(
    "--speed", type=click.FloatRange(min=0.05, max=1000), help="Print at this many times the recorded pace."
)
@click.option("--instant", is_flag=True, help="Print at once.")
@click.option(
    "--cast",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write an asciicast, which asciinema plays.",
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write one page that plays it in a browser, without a server.",
)
@click.option(
    "--as-of", type=click.IntRange(min=1), metavar="TURN", help="Print what there was when TURN was said."
)
@click.option(
    "--without-prompts", is_flag=True, help="Leave what judges were asked and answered out of the page."
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    session: int,
    speed: float | None,
    instant: bool,
    cast: Path | None,
    html: Path | None,
    as_of: int | None,
    without_prompts: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Play SESSION again: turns, scores, labels and failure modes in the order in which they came."""
    if without_prompts and html is None:
        raise SettingError("--without-prompts is for the page", next_step="Add --html FILE, or leave it out.")
    store = open_store(context, to_read=True)
    whole = store.events(session)
    events = _until(whole, session, as_of)
    if html is not None:
        if as_of is not None:
            raise SettingError(
                "--as-of goes without --html", next_step="The page goes to any turn by itself."
            )
        from turnwise.conversations.exports import export_sessions

        notes: list[str] = []
        export_sessions(
            store,
            [session],
            to="replay",
            output=html,
            prompts=not without_prompts,
            force=force,
            on_note=notes.append,
        )
        narrate(f"{html} is written; any browser opens it.")
        for note in notes:
            narrate(note)
        if cast is None:
            return
    if as_json:
        for event in events:
            sys.stdout.write(json_line(event.data(), sort_keys=True) + "\n")
        return
    if cast is not None:
        _write_cast(events, cast, speed or 1.0, force=force)
        return
    instant |= as_of is not None and speed is None
    if speed is None and not instant and sys.stdout.isatty() and sys.stdin.isatty():
        from turnwise.tui.cli.opening import open_app

        store.close()
        context.exit(open_app(context.find_root().obj, replay=session))
    for place, event in enumerate(events):
        if not instant:
            time.sleep(pause_before(events, place) / (speed or 1.0))
        _print(event)
    if as_of is not None:
        _print_curve(whole, as_of)


def _print_curve(events: Sequence[Event], turn: int) -> None:
    """Print what a criterion was found later to score as of a turn, where that was asked."""
    from turnwise.tui.replay.curve_words import curve_words, newest_curve

    row = newest_curve(event.row for event in events if isinstance(event.row, ScoreRow))
    if row is not None:
        say(f"  {make_safe_line(row.metric)}: {curve_words(row, turn)}")


def _until(events: Sequence[Event], session: int, turn: int | None) -> Sequence[Event]:
    """Return the events up to a turn, or all of them. Raises NotFoundError where there is no such turn."""
    if turn is None:
        return events
    from turnwise.engine.replay import Replay

    replay = Replay(events)
    if not replay.seek_turn(turn):
        raise NotFoundError(
            f"Session {session} has no turn {turn}", next_step=f"`turnwise show {session}` has them all."
        )
    return events[: replay.shown]


def _write_cast(events: Sequence[Event], path: Path, speed: float, *, force: bool) -> None:
    from turnwise.conversations.files import whole_file
    from turnwise.tui.cli.talking.asciicast import asciicast

    first = events[0].row
    name = first.name if isinstance(first, SessionRow) else ""
    with whole_file(path, force=force) as out:
        for line in asciicast(events, _print, name=name, speed=speed):
            out.write(f"{line}\n".encode())
    narrate(f"{path} is written; asciinema play {path} plays it.")


def _print(event: Event) -> None:
    match event.row:
        case SessionRow():
            about = f", {event.row.chatbot_role}" if event.row.chatbot_role else ""
            say(f"{event.row.name}{about}")
        case TurnRow():
            say()
            print_turn(event.row)
        case ScoreRow():
            print_score(event.row)
        case LabelRow():
            word = event.row.label or "label taken back"
            about = f"{event.row.metric}: " if event.row.metric else ""
            say(f"  ✎ {about}{word} by {event.row.given_by}. {event.row.note}".rstrip())
        case SessionModeRow():
            say(f"  ✎ {event.row.words}")
    sys.stdout.flush()
