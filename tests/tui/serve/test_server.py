"""The server of the app for browsers: asked over real HTTP."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import pytest
from stored import keep

from turnwise.conversations.live import bound_socket
from turnwise.conversations.store import Store
from turnwise.tui.cli.main import run
from turnwise.tui.serve.gate import Gate
from turnwise.tui.serve.server import MOST_VISITORS, AppServer, ServedApp

SECONDS = 30


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AppServer]:
    """A server of a database."""
    listening = bound_socket(0)
    stop = Event()
    server = AppServer(ServedApp(tmp_path / "turnwise.db"), Gate(listening.getsockname()[1]))
    thread = Thread(target=lambda: asyncio.run(server.run(listening, stop)))
    thread.start()
    yield server
    stop.set()
    thread.join(SECONDS)
    assert not thread.is_alive()


@dataclass(frozen=True)
class Answered:
    """What the server said."""

    status: int
    headers: Mapping[str, str]
    text: str


def ask(server: AppServer, path: str, **headers: str) -> Answered:
    """Ask the server and return its answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", server.gate.port, timeout=SECONDS)) as connection:
        connection.request("GET", path, headers={"Host": f"127.0.0.1:{server.gate.port}", **headers})
        answer = connection.getresponse()
        return Answered(answer.status, dict(answer.headers), answer.read().decode(errors="replace"))


def come_in(server: AppServer) -> Mapping[str, str]:
    """Open the address with the token, and return the headers of one who is in."""
    answer = ask(server, server.address.partition(f":{server.gate.port}")[2])
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert server.gate.token not in cookie
    return {"Cookie": cookie.partition(";")[0]}


def test_without_token_or_cookie_there_is_nothing(server: AppServer) -> None:
    for path in ("/", "/ws", "/page/page.js", "/static/js/textual.js", "/download/x", "/?token=wrong"):
        answer = ask(server, path)
        assert answer.status == 403, path
        assert "Open the address that `turnwise serve` printed" in answer.text


def test_the_token_becomes_a_cookie_and_goes_out_of_the_address(server: AppServer) -> None:
    inside = come_in(server)
    answer = ask(server, "/", **inside)
    page = answer.text
    assert answer.status == 200
    assert server.gate.token not in page
    assert f"ws://127.0.0.1:{server.gate.port}/ws" in page
    # Nothing of it is somewhere else.
    assert re.findall(r"(?:src|href)=\"(?!/)([^\"]*)", page) == ["data:,"]
    for path in re.findall(r"(?:src|href)=\"(/[^\"]+)\"", page):
        assert ask(server, path, **inside).status == 200, path
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store"


def test_another_name_and_another_origin_are_turned_away(server: AppServer) -> None:
    inside = come_in(server)
    assert ask(server, "/", **{**inside, "Host": f"rebound.example:{server.gate.port}"}).status == 421
    assert ask(server, "/ws", **inside, Origin="http://127.0.0.1:1").status == 421
    assert ask(server, "/", **inside).status == 200


def test_so_many_windows_and_no_more(server: AppServer) -> None:
    inside = come_in(server)
    server.visitors = MOST_VISITORS
    answer = ask(server, "/ws", **inside)
    assert (answer.status, "Close one of them" in answer.text) == (503, True)


def test_a_name_with_blanks_and_quotes_is_one_word_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "a 'b' $(c).db"
    app = ServedApp(path, ("--theme", "dark"))
    shown = subprocess.run(
        ["/bin/sh", "-c", app.command.replace(f"exec {sys.executable} -m", "printf '%s\\n'", 1)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.splitlines()[1:] == ["--db", str(path), "--theme", "dark"]


def test_the_command_tells_its_address_and_ends_by_ctrl_c(tmp_path: Path) -> None:
    with Store.open(tmp_path / "turnwise.db") as store:
        keep(store)
    line = [sys.executable, "-c", "from turnwise.tui.cli.start import main; main()"]
    program = subprocess.Popen(
        [*line, "--db", str(tmp_path / "turnwise.db"), "serve", "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    told = json.loads(program.stdout.readline())
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32,}", told["address"])
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=SECONDS)
    assert (program.returncode, out) == (0, "")
    assert told["address"] in err


def test_what_is_wrong_is_told_before_anybody_comes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "no.db").write_text("this is no database, and long enough to be looked at as one" * 20)
    assert run(["--db", str(tmp_path / "no.db"), "serve", "--port", "0"]) == 3
    with bound_socket(0) as taken:
        code = run(["--db", str(tmp_path / "x.db"), "serve", "--port", str(taken.getsockname()[1])])
    assert (code, "cannot be listened at" in capsys.readouterr().err) == (2, True)
