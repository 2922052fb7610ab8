"""`turnwise serve` in real browsers: open, filter, review, label, resize; two at once on one database."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.webdriver import Keys
from stored import keep, land, score
from terminal_screen import TerminalScreen

from browser import WAIT, Browser, browsing, needs_browser
from turnwise.conversations.store import Store

pytestmark = [needs_browser, pytest.mark.xdist_group("browser")]


class Window:
    """A browser with the app in it: what it draws is what its terminal was told."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.screen = TerminalScreen((80, 24))
        self.size = (0, 0)
        browser.open(address)

    def look(self) -> str:
        """Return what stands on the screen now."""
        for frame in self.browser.frames(sent=True):
            if frame.startswith(b'["resize"'):
                size = json.loads(frame)[1]
                self.size = (size["width"], size["height"])
                self.screen.resize(self.size)
        for frame in self.browser.frames():
            if not frame.startswith(b'["pong"'):
                self.screen.feed(frame)
        return "\n".join(self.screen.lines)

    def until(self, words: str) -> str:
        """Wait until words stand on the screen."""
        return self.holds(lambda: words in self.look(), words)

    def review(self, name: str) -> None:
        """Filter the library by words, and open the one session that is left."""
        self.until("Window seat")
        self.browser.press("/")
        self.until("f1 help")
        self.browser.press(name.partition(" ")[0].lower())
        others = {"Refund of a ticket", "Lost bag", "Window seat"} - {name}
        # A list that is read anew is empty for a moment, and the second enter would find nothing to open.
        self.holds(
            lambda: name in self.look() and not any(other in self.look() for other in others),
            "what is found alone",
        )
        self.browser.press(Keys.ENTER)
        self.until("enter review")
        self.browser.press(Keys.ENTER)
        self.until("esc back")
        self.until(f"About {name}?")

    def holds(self, holds: Callable[[], bool], what: str) -> str:
        """Wait until something holds, and return what stands on the screen."""
        end = time.monotonic() + WAIT
        while not holds():
            assert time.monotonic() < end, (what, self.look())
            time.sleep(0.05)
        return self.look()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A library of three conversations."""
    path = tmp_path / "turnwise.db"
    with Store.open(path) as store:
        for name in ("Refund of a ticket", "Lost bag", "Window seat"):
            land(
                store,
                keep(store, f"About {name}?", "I look.", name=name, created_at=1_790_000_000),
                score(0.9),
            )
    return path


@pytest.fixture
def address(database: Path, tmp_path: Path) -> Iterator[str]:
    """Where the app is served; the server ends with the test."""
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    with served(database, environment) as (program, its_address):
        yield its_address
        program.send_signal(signal.SIGINT)
        assert program.wait(WAIT) == 0
    end = time.monotonic() + WAIT
    while left := visitors(database):
        assert time.monotonic() < end, left
        time.sleep(0.05)


@contextmanager
def served(database: Path, environment: Mapping[str, str]) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Serve an app on a database, and yield the program and its address; nothing of it is left open."""
    with subprocess.Popen(
        [
            *(sys.executable, "-c", "from turnwise.tui.cli.start import main; main()"),
            *("--db", str(database), "serve", "--port", "0", "--json"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as program:
        assert program.stdout is not None
        try:
            yield program, json.loads(program.stdout.readline())["address"]
        finally:
            if program.poll() is None:
                program.kill()


def visitors(database: Path) -> list[int]:
    """Return the processes of apps that are served on a database."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"turnwise.tui.cli.visitor" in words and str(database).encode() in words:
                found.append(int(entry.name))
    return found


def labels(database: Path) -> dict[str, list[str | None]]:
    """Return the labels of each session that has any, oldest first."""
    with Store.open(database) as store:
        rows = store.sessions.rows(store.sessions.ids())
        said = {row.name: [label.label for label in store.labels.of(row.id)] for row in rows}
    return {name: words for name, words in said.items() if words}


def test_one_opens_filters_reviews_and_labels(browser: Browser, address: str, database: Path) -> None:
    window = Window(browser, address)
    window.until("Window seat")
    # The token is gone from what is seen, and no script can read the cookie.
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", browser.driver.current_url)
    assert browser.run("return document.cookie") == ""
    assert all(url.startswith(("http://127.0.0.1:", "data:")) for url in browser.requested())
    window.review("Lost bag")
    browser.press("p")
    window.holds(lambda: labels(database) == {"Lost bag": ["pass"]}, "the label in the database")
    # The window takes another size, and the app with it.
    before = window.size
    browser.driver.set_window_size(900, 600)
    window.holds(
        lambda: bool(window.look()) and window.size != before and window.size[0] < before[0], "a size"
    )
    window.until("About Lost bag?")
    browser.driver.set_window_size(1280, 800)


def test_what_is_pasted_is_typed_and_what_is_copied_is_in_the_clipboard(
    browser: Browser, address: str
) -> None:
    origin = address.partition("/?")[0]
    browser.driver.execute_cdp_cmd(
        "Browser.grantPermissions",
        {"origin": origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]},
    )
    window = Window(browser, address)
    window.until("Window seat")
    browser.press("/")
    window.until("f1 help")
    browser.run(
        """
        const data = new DataTransfer();
        data.setData("text/plain", "lost bag");
        const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
        document.querySelector(".xterm-helper-textarea").dispatchEvent(event);
        """
    )
    window.holds(lambda: "Window seat" not in window.look(), "what is found alone")
    browser.press(Keys.ENTER)
    window.until("enter review")
    browser.press(Keys.ENTER)
    window.until("esc back")
    window.until("About Lost bag?")
    browser.press("y")
    browser.until(
        lambda: (
            "About Lost bag?"
            in browser.driver.execute_async_script(
                "navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))"
            )
        ),
        "the copied turn",
    )


def test_two_browsers_are_two_apps_on_one_database(
    browser: Browser, address: str, database: Path, tmp_path: Path
) -> None:
    one = Window(browser, address)
    one.until("Window seat")
    with browsing(tmp_path / "other") as started:
        other = Window(started, address)
        other.until("Window seat")
        assert len(visitors(database)) == 2
        for window, word in ((one, "p"), (other, "f")):
            window.review("Window seat")
            window.browser.press(word)
        one.holds(lambda: sorted(labels(database).get("Window seat", [])) == ["fail", "pass"], "both labels")
        # Who leaves takes their own app along, and nobody else's.
        started.driver.get("about:blank")
        one.holds(lambda: len(visitors(database)) == 1, "one app less")
    one.browser.press(Keys.ESCAPE)
    one.until("enter review")


def test_an_app_ends_with_a_server_that_was_killed(browser: Browser, database: Path) -> None:
    with served(database, os.environ) as (program, its_address):
        window = Window(browser, its_address)
        window.until("Window seat")
        program.kill()
        program.wait()
    window.holds(lambda: visitors(database) == [], "no app")
    assert "has ended here" in browser.text(".ended")
