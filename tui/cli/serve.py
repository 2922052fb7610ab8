"""turnwise serve: the app in a browser, on this machine."""

from __future__ import annotations

import asyncio
import sys
from contextlib import redirect_stdout
from threading import Event

import click

from turnwise.tui.cli.interrupts import interrupts
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import emit, narrate

USUAL_PORT = 8792
_EPILOG = """\b
Examples:
  turnwise serve
  turnwise serve --port 0 --open
  turnwise --db reviews.db serve

\b
Only this machine reaches it. The address that is printed holds a token; whoever opens it gets
a cookie, and the token goes out of the address. From another machine: ssh -L 8792:127.0.0.1:8792.
"""


@click.command("serve", epilog=_EPILOG)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=USUAL_PORT,
    show_default=True,
    help="Where to listen on this machine; 0: any.",
)
@click.option("--open", "open_it", is_flag=True, help="Open it in your browser.")
@json_option
@click.pass_context
def command(context: click.Context, port: int, open_it: bool, as_json: bool) -> None:
    """Show the app in a browser: each window is an app of its own on the same database, until ctrl+c."""
    from turnwise.conversations.live import bound_socket, require_packages

    require_packages(("aiohttp", "textual_serve"), what="turnwise serve", extra="serve")
    from turnwise.tui.serve.gate import Gate
    from turnwise.tui.serve.server import AppServer, ServedApp

    # What is wrong with the database is told here, and a new or old one made ready once.
    open_store(context).close()
    root = context.find_root()
    theme = ["--theme", root.params["theme"]] if root.params.get("theme") else []
    mouse = ["--no-mouse"] if root.params.get("no_mouse") else []
    listening = bound_socket(port)
    server = AppServer(ServedApp(root.obj, (*theme, *mouse)), Gate(listening.getsockname()[1]))
    stop = Event()
    with interrupts.stopping(stop):
        if as_json:
            emit({"event": "listening", "address": server.address})
            sys.stdout.flush()
        narrate(f"turnwise is at {server.address}\nThis machine alone reaches it; ctrl+c ends it.")
        if open_it:
            click.launch(server.address)
        # What an app says when it cannot start is no data.
        with redirect_stdout(sys.stderr):
            asyncio.run(server.run(listening, stop))
