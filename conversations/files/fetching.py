"""Fetching: what lies on another computer, asked for only where a user said yes, within narrow borders.

Whoever holds a Fetcher was given that yes. A name that leads to this machine or its own network is refused
unless that is allowed too, redirects are checked like the first address, and the connection goes to the very
address that was checked, so that a name cannot change its mind in between.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

from turnwise.conversations.errors import InputError

_PASSING = frozenset({429, 500, 502, 503, 504})
_MOVED = frozenset({301, 302, 303, 307, 308})
_MOST_TRIES = 4
_MOST_REDIRECTS = 5
_LONGEST_WAIT = 60.0
_PIECE = 1 << 16
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetcher:
    """Sends plain requests.

    private: whether addresses of this machine and of local networks may be asked. seconds: what a request
    may take in all, waits and redirects included. most_bytes: the longest answer that is taken. sleep: how
    to wait between tries.
    """

    private: bool = False
    seconds: float = 60.0
    most_bytes: int = 64 << 20
    sleep: Callable[[float], Any] = time.sleep

    def get(self, url: str, headers: Mapping[str, str] | None = None) -> bytes:
        """Return what an address answers. Raises InputError, which names the address and what to do.

        A busy or broken server is tried again after the time that it asks for. Headers are not sent to
        another host.
        """
        return self._tried(_Request("GET", url, dict(headers or {})))

    def post(self, url: str, body: Any) -> bytes:
        """Return what an address answers to a JSON body; it is not sent on to another address."""
        content = json.dumps(body, ensure_ascii=False, default=str).encode()
        return self._tried(_Request("POST", url, {"Content-Type": "application/json"}, content))

    def _tried(self, request: _Request) -> bytes:
        end = time.monotonic() + self.seconds
        for number in range(1, _MOST_TRIES + 1):
            try:
                return self._followed(request, end)
            except _Passing as fault:
                wait = 0.5 * 2 ** (number - 1) if fault.wait is None else fault.wait
                if number == _MOST_TRIES or time.monotonic() + wait > end:
                    raise _not_fetched(request.url, fault.told, "Try again later.") from None
            self.sleep(wait)
        raise AssertionError("the last try returns or raises")

    def _followed(self, request: _Request, end: float) -> bytes:
        for _ in range(_MOST_REDIRECTS):
            status, headers, content = self._asked(request, end)
            if status == 200:
                return content
            if status in _PASSING:
                raise _Passing(f"HTTP {status}", _wait_of(headers))
            if status not in _MOVED or request.method != "GET" or "location" not in headers:
                told = content[:200].decode("utf-8", "replace").strip()
                raise _not_fetched(request.url, f"HTTP {status}: {told}", "Check the address.")
            request = request.moved(headers["location"])
        raise _not_fetched(request.url, "it leads from one address to the next", "Check the address.")

    def _asked(self, request: _Request, end: float) -> tuple[int, dict[str, str], bytes]:
        connection = self._connection(request.url, end)
        try:
            parts = urlsplit(request.url)
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request(request.method, path, body=request.body, headers=request.headers)
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            content = b""
            while piece := answer.read(_PIECE):
                content += piece
                if len(content) > self.most_bytes:
                    told = f"the answer is longer than {self.most_bytes:,} bytes"
                    raise _not_fetched(request.url, told, "Ask for less, or save it as a file.")
                if time.monotonic() > end:
                    raise TimeoutError
        except TimeoutError:
            raise self._too_slow(request.url) from None
        except (OSError, http.client.HTTPException) as error:
            raise _Passing(f"{type(error).__name__}: {error}", None) from None
        else:
            return answer.status, headers, content
        finally:
            connection.close()

    def _connection(self, url: str, end: float) -> http.client.HTTPConnection:
        """Return a connection to the numeric address behind a URL's host, checked to be one that may be
        asked.
        """
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            parts, host, port = urlsplit(""), "", None
        if parts.scheme not in ("http", "https") or not host or parts.username is not None:
            raise _not_fetched(url, "it is no plain web address", "Write it as https://HOST/PATH.")
        port = port or (443 if parts.scheme == "https" else 80)
        remaining = end - time.monotonic()
        if remaining <= 0:
            raise self._too_slow(url)
        context = ssl.create_default_context() if parts.scheme == "https" else None
        return _Pinned(host, port, self._addresses(url, host, port), remaining, context)

    def _addresses(self, url: str, host: str, port: int) -> list[str]:
        try:
            addresses = addresses_of(host, port)
        except (OSError, UnicodeError) as error:
            raise _Passing(f"{host} is not found: {error}", None) from None
        if not self.private and not all(map(is_public, addresses)):
            raise _not_fetched(
                url,
                f"{host} is this machine or lies in a local network, where a file has no business",
                "Allow it with --allow-private, if the file is yours.",
            )
        return addresses

    def _too_slow(self, url: str) -> InputError:
        return _not_fetched(url, f"no answer within {self.seconds:g} s", "Try again later, or ask for less.")


def addresses_of(host: str, port: int) -> list[str]:
    """Return the numeric addresses of a host. Raises OSError and UnicodeError where it has none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Whether a numeric address lies in the open internet, whatever form it is wrapped in."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if inner is None and found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        found = inner or found
    return found.is_global and not found.is_multicast


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    url: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None

    def moved(self, location: str) -> _Request:
        """Return the request at the place that a redirect names; its headers go to no other host."""
        url = urljoin(self.url, location)
        old, new = urlsplit(self.url), urlsplit(url)
        if old.scheme == "https" and new.scheme != "https":
            raise _not_fetched(self.url, "it leads to an address that is not encrypted", "Check the address.")
        kept = self.headers if (old.scheme, old.netloc) == (new.scheme, new.netloc) else {}
        return _Request(self.method, url, dict(kept))


class _Passing(Exception):  # noqa: N818 - never leaves this module
    """A failure that a later try may overcome. wait: the seconds that the server asks for."""

    def __init__(self, told: str, wait: float | None) -> None:
        super().__init__(told)
        self.told = told
        self.wait = wait


class _Pinned(http.client.HTTPConnection):
    """A connection to numeric addresses that were checked before, under the host's name for its
    certificate.
    """

    def __init__(
        self, host: str, port: int, addresses: list[str], seconds: float, context: ssl.SSLContext | None
    ) -> None:
        super().__init__(host, port, timeout=seconds)
        self.default_port = 443 if context else 80
        self._addresses = addresses
        self._context = context

    def connect(self) -> None:
        """Connect to the first address that answers."""
        for number, address in enumerate(self._addresses, start=1):
            try:
                self.sock = socket.create_connection((address, self.port), self.timeout)
                break
            except OSError:
                if number == len(self._addresses):
                    raise
        if self._context is not None:
            self.sock = self._context.wrap_socket(self.sock, server_hostname=self.host)


def _wait_of(headers: Mapping[str, str]) -> float | None:
    value = headers.get("retry-after", "")
    try:
        wait = float(value)
    except ValueError:
        try:
            wait = parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    return min(max(wait, 0.0), _LONGEST_WAIT) if wait == wait else None


def _not_fetched(url: str, told: str, next_step: str) -> InputError:
    # A query may hold a key.
    return InputError(f"{url.partition('?')[0]} was not fetched", detail=told, next_step=next_step)
