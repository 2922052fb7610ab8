"""turnwise record: talk to a chatbot and keep every turn."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

import click

from turnwise.conversations.errors import JudgeError
from turnwise.conversations.recording import Recording
from turnwise.conversations.store import Store
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import emit, narrate
from turnwise.tui.widgets.safe_text import make_safe

if TYPE_CHECKING:
    from turnwise.engine.targets import Target

_EPILOG = """\b
Examples:
  turnwise record
  turnwise record --target http://127.0.0.1:11434/v1#llama3.2 --role "A clinic's booking assistant"
  turnwise record --plain --target embedded < questions.txt

\b
With --plain, each line of standard input is a turn of the user, and replies go to standard output.
TARGET is a URL (URL#MODEL), openai:MODEL, embedded[:NAME] or a .gguf file.
"""


@click.command(epilog=_EPILOG)
@click.option("--target", metavar="TARGET", help="The chatbot to talk to.")
@click.option("--role", default="", help="What the chatbot is supposed to be, in plain words.")
@click.option("--system", default="", help="A system prompt to give the chatbot.")
@click.option("--name", default="", help="A name for the session.")
@click.option("--plain", is_flag=True, help="Talk over standard input and output, without the app.")
@json_option
@click.pass_context
def command(
    context: click.Context, target: str | None, role: str, system: str, name: str, plain: bool, as_json: bool
) -> None:
    """Talk to a chatbot; every turn is on the disk before the next begins."""
    if not plain and not as_json:
        from turnwise.tui.app import run_app

        context.exit(run_app(context.find_root().obj, record=(target, role, system, name)))
    store = open_store(context)
    context.exit(asyncio.run(_talk(store, target, role=role, system=system, name=name, as_json=as_json)))


async def _talk(store: Store, spec: str | None, *, role: str, system: str, name: str, as_json: bool) -> int:
    from turnwise.engine.targets import Target, choose_target

    async with Target(await choose_target(spec)) as target:
        await target.open()
        recording = Recording(store, target=target.title, role=role, system=system, name=name)
        narrate(f"Talking to {target.title}. ctrl+d ends.")
        interrupted = await _exchange_lines(recording, target, as_json=as_json)
    if recording.session_id is None:
        narrate("Nothing was said, so nothing was kept.")
    elif as_json:
        emit({"session": recording.session_id, "turns": len(recording.turns)})
    else:
        narrate(f"Kept as session {recording.session_id}: turnwise show {recording.session_id}")
    return 130 if interrupted else 0


async def _exchange_lines(recording: Recording, target: Target, *, as_json: bool) -> bool:
    """Answer the lines of standard input until it ends; say whether ctrl+c ended it."""
    loop = asyncio.get_running_loop()
    while True:
        if sys.stdin.isatty():
            sys.stderr.write("> ")
            sys.stderr.flush()
        try:
            line = await loop.run_in_executor(None, sys.stdin.readline)
        except asyncio.CancelledError:
            return True
        if not line:
            return False
        if not (said := line.strip()):
            continue
        recording.user_says(said)
        if await _answer(recording, target, as_json=as_json):
            return True


async def _answer(recording: Recording, target: Target, *, as_json: bool) -> bool:
    """Let the target reply, piece by piece; what came before an interruption or a fault is kept too."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, stop.set)
    began, pieces = time.monotonic(), []
    try:
        async with aclosing(target.reply(recording.messages)) as reply:
            async for piece in reply:
                pieces.append(piece)
                if not as_json:
                    sys.stdout.write(make_safe(piece))
                    sys.stdout.flush()
                if stop.is_set():
                    break
    except JudgeError:
        _keep(recording, pieces, began, interrupted=True)
        raise
    finally:
        with suppress(ValueError):
            loop.remove_signal_handler(signal.SIGINT)
    _keep(recording, pieces, began, interrupted=stop.is_set())
    if not as_json:
        sys.stdout.write("\n")
    return stop.is_set()


def _keep(recording: Recording, pieces: list[str], began: float, *, interrupted: bool) -> None:
    if pieces or not interrupted:
        recording.assistant_says("".join(pieces), seconds=time.monotonic() - began, interrupted=interrupted)
