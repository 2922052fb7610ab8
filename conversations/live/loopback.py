"""A server on this machine alone, in a thread of its own, for any ASGI application."""

from __future__ import annotations

import secrets
import socket
import threading
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from turnwise.conversations.errors import SettingError

LOOPBACK = "127.0.0.1"
_NAMES = ("127.0.0.1", "localhost", "[::1]")
_SECONDS_TO_END = 2


class LoopbackServer:
    """Listens from the moment it is made, and answers from `start` to `stop`."""

    def __init__(self, port: int, *, name: str) -> None:
        """name: what the thread is called. Raises SettingError where the port is taken."""
        self._name = name
        self._socket = bound_socket(port)
        self.port: int = self._socket.getsockname()[1]
        self._thread: threading.Thread | None = None
        self._end: Callable[[], None] = lambda: None

    @property
    def address(self) -> str:
        """Where it listens, as in http://127.0.0.1:4318."""
        return f"http://{LOOPBACK}:{self.port}"

    def is_ours(self, host: str) -> bool:
        """Whether a request's Host names this server: a page in a browser can reach it by another name."""
        return names_loopback(host, self.port)

    def start(self, application: Any) -> None:
        """Begin to answer with an ASGI application."""
        import uvicorn

        config = uvicorn.Config(
            application,
            # What goes wrong is told by whoever answers.
            log_level="critical",
            access_log=False,
            lifespan="auto",
            timeout_graceful_shutdown=_SECONDS_TO_END,
            server_header=False,
            date_header=False,
        )
        server = uvicorn.Server(config)

        def end() -> None:
            server.should_exit = True

        self._end = end
        self._thread = threading.Thread(
            target=server.run, kwargs={"sockets": [self._socket]}, name=self._name, daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Answer what is under way, and end."""
        self._end()
        if self._thread is not None:
            self._thread.join(_SECONDS_TO_END + 3)
        self._socket.close()


def require_packages(packages: Sequence[str], *, what: str, extra: str) -> None:
    """Raise SettingError where a package is missing. what: begins the sentence. extra: that brings them."""
    missing = [name for name in packages if not _is_there(name)]
    if missing:
        raise SettingError(
            f"{what} needs packages that are not installed",
            detail=f"Missing: {', '.join(missing)}.",
            next_step=f"pip install 'turnwise[{extra}]'",
        )


def names_loopback(host: str, port: int) -> bool:
    """Whether the Host of a request names this machine at a port: any other name was made to lead here."""
    return host.lower().removesuffix(f":{port}") in _NAMES


def new_token() -> str:
    """Make a token that nobody can guess."""
    return secrets.token_urlsafe(24)


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        # What it would be a part of is missing too.
        return False


def bound_socket(port: int) -> socket.socket:
    """Listen at a port of this machine alone, 0 for any. Raises SettingError where it is taken."""
    # Named TCP, as asyncio only then sends what is short at once; a reply would wait forty milliseconds.
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # One that was used a moment ago can be used again; one that is in use cannot.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((LOOPBACK, port))
        bound.listen(128)
    except OSError as error:
        bound.close()
        raise SettingError(
            f"Port {port} cannot be listened at",
            detail=f"The system says: {error.strerror or error}.",
            next_step="Another of these may be there; name another with --port, or 0 for any that is free.",
        ) from None
    return bound
