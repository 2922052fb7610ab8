"""turnwise proxy: conversations of any program, recorded on their way to a server of models."""

from __future__ import annotations

import os
import sys
from threading import Event
from typing import TYPE_CHECKING

import click

from turnwise.conversations.errors import StoreBusyError, StoreError
from turnwise.conversations.store import Patience
from turnwise.conversations.words import counted
from turnwise.tui.cli.interrupts import interrupts
from turnwise.tui.cli.options import chosen_metrics, json_option, open_store
from turnwise.tui.cli.output import Progress, emit, narrate
from turnwise.tui.cli.talking.resting import RestingScores, RestOptions, rest_options

if TYPE_CHECKING:
    from turnwise.conversations.relay import CallSpool, Relay, TakenCalls

TOKEN_VARIABLE = "TURNWISE_PROXY_TOKEN"  # noqa: S105 - its name
SECONDS_BETWEEN_LOOKS = 0.3
SECONDS_TO_END = 5.0
"""So long the database is waited for once ctrl+c was pressed."""
_EPILOG = """\b
Examples:
  turnwise proxy --upstream https://api.openai.com/v1
  turnwise proxy --upstream https://api.anthropic.com
  turnwise proxy --upstream http://127.0.0.1:8080/v1 --port 0 --no-token
  turnwise proxy --upstream https://api.openai.com/v1 --metric user_frustration --judge embedded

\b
The program sets the printed address as its base URL, and keeps its own key. Headers may name what is said:
X-Turnwise-Session, X-Turnwise-User, and X-Turnwise-Metadata with a JSON object. They are not passed on.
"""


@click.command("proxy", epilog=_EPILOG)
@click.option("--upstream", required=True, metavar="URL", help="The server of models behind the proxy.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Where to listen on this machine, 8791 by default; 0: any."
)
@click.option("--token", metavar="TOKEN", help="What stands in the address that programs are given.")
@click.option("--no-token", is_flag=True, help="Let every program on this machine use the proxy.")
@rest_options
@json_option
@click.pass_context
def command(
    context: click.Context,
    upstream: str,
    port: int | None,
    token: str | None,
    no_token: bool,
    resting: RestOptions,
    as_json: bool,
) -> None:
    """Stand between a program and its server of models, and make sessions of what they say.

    Speaks OpenAI's chat completions and Responses and Anthropic's Messages, streamed or not; what is asked
    is passed on as it is, and so is the answer. Listens on this machine alone until ctrl+c. A conversation
    grows with every call; where a program goes back and on another way, that is a session of its own.
    """
    if token and no_token:
        raise click.UsageError("--token and --no-token do not go together.")
    from turnwise.conversations.live import new_token
    from turnwise.conversations.relay import USUAL_PORT, CallSpool, Relay, TakenCalls

    metrics = chosen_metrics(resting.metrics, resting.criteria) if resting.is_asked_for else []
    store = open_store(context)
    scores = RestingScores(store.path, metrics, resting, as_json=as_json)
    spool = CallSpool(store.path)
    context.call_on_close(spool.close)
    token = None if no_token else token or os.environ.get(TOKEN_VARIABLE) or new_token()
    relay = Relay(upstream, spool, port=USUAL_PORT if port is None else port, token=token)
    taken, stop, progress = TakenCalls(store, spool), Event(), Progress()
    told = _Told(progress, scores, as_json=as_json)
    with interrupts.stopping(stop):
        relay.start()
        try:
            told.where(relay, upstream, str(store.path))
            while not stop.is_set():
                told.take_in(taken, spool, stop)
                scores.look()
                progress.show(_state(relay))
                stop.wait(SECONDS_BETWEEN_LOOKS)
        finally:
            relay.stop()
        progress.clear()
    with store.waiting(Patience(SECONDS_TO_END)):
        told.take_in(taken, spool, Event())
    told.end(relay, spool)
    dropped = Event()
    with interrupts.stopping(dropped):
        scores.end(dropped)


class _Told:
    """What a person or a program is told, each fault once."""

    def __init__(self, progress: Progress, scores: RestingScores, *, as_json: bool) -> None:
        self._progress = progress
        self._scores = scores
        self._as_json = as_json
        self._faults: set[str] = set()

    def where(self, relay: Relay, upstream: str, path: str) -> None:
        address = f"{relay.address}/v1"
        if self._as_json:
            emit({"event": "listening", "address": address, "upstream": upstream})
            sys.stdout.flush()
        narrate(f"Listening at {address}, before {upstream}. Kept in {path}; ctrl+c ends it.")
        narrate(
            f"For OpenAI's clients that is the base URL; for Anthropic's it is {relay.address}. "
            "Keys pass through and are not kept."
        )

    def take_in(self, taken: TakenCalls, spool: CallSpool, stop: Event) -> None:
        try:
            for one in taken.take_in(stopping=stop.is_set):
                self._progress.clear()
                self._scores.note(one.session)
                failed = f", {one.failure}" if one.failure else ""
                if self._as_json:
                    emit(
                        {
                            "event": "taken",
                            "session": one.session,
                            "how": one.how,
                            "turns": one.turns,
                            "failure": one.failure,
                        }
                    )
                    sys.stdout.flush()
                else:
                    narrate(f"session {one.session} {one.how}: {counted(one.turns, 'turn')}{failed}")
        except StoreBusyError:
            self._once("The database is in use: calls wait beside it, and come in later.")
        except StoreError as error:
            self._once(f"{error.title}: {error.detail} Calls go on and are not recorded meanwhile.")
        if spool.fault:
            self._once(f"{spool.path} cannot be written ({spool.fault}). Calls go on, and wait in memory.")

    def end(self, relay: Relay, spool: CallSpool) -> None:
        relayed = relay.relayed
        counts = {
            "calls": relayed.calls,
            "failed": relayed.failed,
            "others": relayed.others,
            "unreached": relayed.unreached,
            "refused": relayed.refused,
            "not_kept": relayed.unkept + spool.lost + spool.waiting,
        }
        if self._as_json:
            emit({"event": "end", **counts})
        narrate(_state(relay) + ".")
        if counts["not_kept"]:
            narrate(f"Not recorded: {counted(counts['not_kept'], 'call')}.")

    def _once(self, words: str) -> None:
        if words not in self._faults:
            self._faults.add(words)
            self._progress.clear()
            narrate(words)


def _state(relay: Relay) -> str:
    relayed = relay.relayed
    parts = [counted(relayed.calls, "call")]
    parts += [f"{relayed.failed:,} without a whole reply"] if relayed.failed else []
    parts += [f"{counted(relayed.others, 'other request')} passed on"] if relayed.others else []
    parts += [f"{relayed.refused:,} refused"] if relayed.refused else []
    return ", ".join(parts)
