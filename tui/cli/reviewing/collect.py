"""turnwise collect: conversations out of the spans that programs send."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from turnwise.conversations.errors import StoreBusyError
from turnwise.conversations.store import Patience
from turnwise.conversations.words import counted
from turnwise.tui.cli.interrupts import interrupts
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import Progress, emit, narrate, say

if TYPE_CHECKING:
    from turnwise.conversations.importing import ImportReport
    from turnwise.conversations.live import Receiver, TakenSpans

TOKEN_VARIABLE = "TURNWISE_COLLECT_TOKEN"  # noqa: S105 - its name
SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_TO_END = 5.0
"""So long the database is waited for once ctrl+c was pressed."""
_EPILOG = """\b
Examples:
  turnwise collect
  turnwise collect --port 0 --json
  TURNWISE_COLLECT_TOKEN=... turnwise collect
"""


@click.command("collect", epilog=_EPILOG)
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Where to listen on this machine, 4318 by default; 0: any."
)
@click.option("--no-token", is_flag=True, help="Let every program on this machine send spans.")
@json_option
@click.pass_context
def command(context: click.Context, port: int | None, no_token: bool, as_json: bool) -> None:
    """Take spans from any exporter of OpenTelemetry, and make sessions of the conversations in them.

    Listens on this machine alone until ctrl+c, and prints the variables that programs are to be given. Spans
    are on the disk before their exporter is answered. A conversation grows as its spans come.
    """
    from turnwise.conversations.importing import ImportReport
    from turnwise.conversations.live import USUAL_PORT, Receiver, SpanSpool, TakenSpans, new_token
    from turnwise.tui.importing.import_words import report_counts, report_words

    store = open_store(context)
    spool = SpanSpool(store.path)
    context.call_on_close(spool.close)
    token = None if no_token else os.environ.get(TOKEN_VARIABLE) or new_token()
    receiver = Receiver(spool, port=USUAL_PORT if port is None else port, token=token, tell=narrate)
    taken, total, stop = TakenSpans(store, spool), ImportReport(), Event()
    progress = Progress()
    with interrupts.stopping(stop):
        receiver.start()
        try:
            _tell_where(receiver, store.path, as_json=as_json)
            while not stop.is_set():
                _take_in(taken, total, stop, progress, as_json=as_json)
                spool.forget_old()
                progress.show(f"{_came(receiver)}: {total.imported:,} imported, {total.grown:,} grown")
                stop.wait(SECONDS_BETWEEN_LOOKS)
        finally:
            receiver.stop()
        progress.clear()
    # What came last is taken in too, also of traces that have not ended.
    with store.waiting(Patience(SECONDS_TO_END)):
        _take_in(taken, total, Event(), progress, as_json=as_json, all_of_them=True)
    if as_json:
        emit({"event": "end", "spans": receiver.received.spans, **report_counts(total)})
    narrate(f"{_came(receiver)}. {report_words(total)}")
    if others := ", ".join(name for name, count in receiver.received.others.items() if count):
        narrate(f"Not kept: {others}.")
    if receiver.received.refused or receiver.received.left_out:
        narrate(
            f"Not taken: {counted(receiver.received.refused, 'request')}, "
            f"{counted(receiver.received.left_out, 'span')} without usable ids."
        )
    if taken.silent:
        narrate(f"{counted(taken.silent, 'trace')} held no conversation.")


def _take_in(
    taken: TakenSpans,
    total: ImportReport,
    stop: Event,
    progress: Progress,
    *,
    as_json: bool,
    all_of_them: bool = False,
) -> None:
    from turnwise.tui.importing.import_words import report_counts, report_words

    try:
        for report in taken.take_in(all_of_them=all_of_them, stopping=stop.is_set):
            total.join(report)
            if report.imported or report.grown:
                progress.clear()
                if as_json:
                    emit({"event": "taken", **report_counts(report)})
                    sys.stdout.flush()
                narrate(f"{', '.join(f'session {one}' for one in report.sessions)}: {report_words(report)}")
    except StoreBusyError:
        if not all_of_them and not stop.is_set():
            raise
        if all_of_them:
            narrate("The database is in use: what came last is taken in by the next turnwise collect.")


def _tell_where(receiver: Receiver, path: Path, *, as_json: bool) -> None:
    if as_json:
        emit({"event": "listening", "endpoint": receiver.endpoint, "environment": receiver.environment})
        sys.stdout.flush()
    else:
        export = "set" if os.name == "nt" else "export"
        for name, value in receiver.environment.items():
            say(f"{export} {name}={value}")
        sys.stdout.flush()
    narrate(
        f"Give these variables to the programs whose spans are to come here. Kept in {path}; ctrl+c ends it."
        if not as_json
        else f"Listening at {receiver.endpoint}; kept in {path}. ctrl+c ends it."
    )
    if "OTEL_EXPORTER_OTLP_HEADERS" not in receiver.environment:
        narrate("No token is asked for: every program on this machine can send spans.")


def _came(receiver: Receiver) -> str:
    return f"{counted(receiver.received.spans, 'span')} came"
