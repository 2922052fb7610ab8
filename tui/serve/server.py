"""The server: Textual's own for the talk with each app, and before it the gate and a page of ours.

Textual's page loads a font from the net, and its server lets everybody in. So its handlers stand here behind
routes of ours; it offers no place for either.
"""

from __future__ import annotations

import asyncio
import shlex
import socket
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from string import Template
from threading import Event

from aiohttp import web
from textual_serve.server import Server

from turnwise.conversations.live import LOOPBACK
from turnwise.tui.serve.gate import TOKEN, Gate

MOST_VISITORS = 8
"""So many apps may run at once: each is a process of its own."""
SECONDS_TO_END = 2.0
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_CLOSED = (
    "This is turnwise, and it lets nobody in without its token.\n\n"
    "Open the address that `turnwise serve` printed: the token stands in it.\n"
)
_FULL = f"There are {MOST_VISITORS} windows open already. Close one of them and load this page again.\n"


@dataclass(frozen=True, slots=True)
class ServedApp:
    """What a visitor gets. database: the file; None for the usual one. arguments: told to the app beside."""

    database: Path | None = None
    arguments: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """The line that starts the app of one visitor."""
        named = ["--db", str(self.database)] if self.database is not None else []
        words = [sys.executable, "-m", "turnwise.tui.cli.visitor", *named, *self.arguments]
        # A shell starts it, and makes place for it.
        return f"exec {shlex.join(words)}"


@dataclass
class AppServer:
    """Lets visitors in and gives each an app of their own. visitors: how many there are now."""

    app: ServedApp
    gate: Gate
    visitors: int = 0
    _textual: Server = field(init=False, repr=False)

    def __post_init__(self) -> None:
        address = f"http://{LOOPBACK}:{self.gate.port}"
        self._textual = Server(self.app.command, LOOPBACK, self.gate.port, "turnwise", address)

    @property
    def address(self) -> str:
        """What to open first: the token stands in it."""
        return f"http://{LOOPBACK}:{self.gate.port}/?{TOKEN}={self.gate.token}"

    async def run(self, listening: socket.socket, stop: Event) -> None:
        """Answer at a socket until stop is set; then all apps end."""
        runner = web.AppRunner(
            self._application(), access_log=None, shutdown_timeout=SECONDS_TO_END, handle_signals=False
        )
        await runner.setup()
        try:
            await web.SockSite(runner, listening).start()
            # A wait without an end would keep its thread where a signal ends the program.
            while not await asyncio.to_thread(stop.wait, 0.2):
                pass
        finally:
            await runner.cleanup()

    def _application(self) -> web.Application:
        application = web.Application(middlewares=[self._guard])
        application.add_routes(
            [
                web.get("/", self._page),
                web.get("/ws", self._visit, name="websocket"),
                web.get("/download/{key}", self._textual.handle_download, name="download"),
                web.get("/page/{name:page\\.(?:css|js)}", self._part),
                web.static("/static", self._textual.statics_path, name="static"),
            ]
        )
        application.on_response_prepare.append(_harden)
        return application

    @web.middleware
    async def _guard(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        entry = self.gate.judge(request.headers, request.cookies, request.query.get(TOKEN))
        if entry == "not ours":
            raise web.HTTPMisdirectedRequest(text="This is another machine's address.\n")
        if entry == "closed":
            raise web.HTTPForbidden(text=_CLOSED)
        if entry == "in":
            return await handler(request)
        # The token goes out of the address, and with it out of what is seen and remembered.
        entered = web.HTTPSeeOther("/")
        entered.set_cookie(self.gate.cookie, self.gate.pass_word, httponly=True, samesite="Strict")
        raise entered

    async def _page(self, request: web.Request) -> web.Response:
        page = Template(_part("page.html")).substitute(socket=f"ws://{request.host}/ws")
        return web.Response(text=page, content_type="text/html")

    async def _part(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        return web.Response(text=_part(name), content_type=kind)

    async def _visit(self, request: web.Request) -> web.StreamResponse:
        if self.visitors >= MOST_VISITORS:
            raise web.HTTPServiceUnavailable(text=_FULL)
        self.visitors += 1
        try:
            return await self._textual.handle_websocket(request)
        finally:
            self.visitors -= 1


async def _harden(request: web.Request, response: web.StreamResponse) -> None:
    """Say to the browser with every answer what it may do: talk with this server, and nothing else."""
    response.headers.update(
        {
            "Content-Security-Policy": (
                "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
                f"img-src 'self' data:; connect-src 'self' ws://{request.host}; "
                "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            ),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-store",
        }
    )


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
