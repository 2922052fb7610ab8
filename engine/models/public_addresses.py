"""Public addresses: an address that a file names is asked in the open internet alone.

A name is looked up once, and the connection goes to the very address that was checked: a name that changes
its mind in between gains nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Any
from urllib.parse import urlsplit

from turnwise.conversations.errors import SettingError
from turnwise.conversations.files import addresses_of, is_public
from turnwise.engine.models.faults import Fault

_PORTS = {"http": 80, "https": 443}
_OF_THIS_MACHINE = ("localhost", ".localhost", ".local")


def client_options(*, public_only: bool) -> dict[str, Any]:
    """Return what a client is made with, so that it asks public addresses alone where it shall."""
    if not public_only:
        return {}
    # A proxy would look the name up once more, and connect to what it finds.
    return {"event_hooks": {"request": [_pinned]}, "trust_env": False}


def refuse_private(address: str) -> None:
    """Raise SettingError for an address that is plainly of this machine or of a local network."""
    host = (urlsplit(address).hostname or "").rstrip(".")
    if host == _OF_THIS_MACHINE[0] or host.endswith(_OF_THIS_MACHINE[1:]):
        raise _private(host)
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return
    if not is_public(host):
        raise _private(host)


async def _pinned(request: Any) -> None:
    """Let a request go to a public address that its host has, under the host's name for its certificate."""
    host = request.url.host
    port = request.url.port or _PORTS.get(request.url.scheme, 0)
    try:
        found = await asyncio.to_thread(addresses_of, host, port)
    except (OSError, UnicodeError) as error:
        raise Fault(f"{host} is not found: {error}") from None
    if not found or not all(map(is_public, found)):
        raise _private(host)
    request.url = request.url.copy_with(host=found[0])
    request.extensions = {**request.extensions, "sni_hostname": host}


def _private(host: str) -> SettingError:
    return SettingError(
        f"{host} is this machine or lies in a local network, where a file has no business",
        next_step="Allow it with --trust --allow-private, if the file is yours.",
    )
