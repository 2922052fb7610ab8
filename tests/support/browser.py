"""A real browser without a window: Debian's Chromium by Selenium; tests that need one are skipped without.

apt-get install chromium chromium-driver
"""

from __future__ import annotations

import json
import os
import shutil
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next((found for name in ("chromium", "google-chrome") if (found := shutil.which(name))), None)
DRIVER = shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="needs Chromium and its driver: chromium, chromium-driver"
)
WAIT = 60
"""Seconds after which what did not come will not come; nothing waits so long where all is well."""


class Browser:
    """One browser with a folder for what it saves."""

    def __init__(self, driver: Any, downloads: Path) -> None:
        self.driver = driver
        self.downloads = downloads
        self._traffic: list[dict[str, Any]] = []

    def open(self, address: str | Path) -> None:
        """Open a page, of the web or of a file; what is asked for is counted from here."""
        self.driver.get("about:blank")
        self.requested()
        self.driver.get(address.as_uri() if isinstance(address, Path) else address)

    def run(self, script: str, *given: Any) -> Any:
        """Run a script in the page, as its own developer's tools would, and return what it returns."""
        return self.driver.execute_script(script, *given)

    def text(self, selector: str) -> str:
        """Return what is read of the first element that a selector finds."""
        return str(self.run("return document.querySelector(arguments[0]).innerText", selector))

    def count(self, selector: str) -> int:
        """Return how many elements of a selector are seen."""
        script = "return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility())"
        return len(self.run(script, selector))

    def click(self, selector: str) -> None:
        """Click on an element, as a hand does."""
        self.driver.find_element("css selector", selector).click()

    def type(self, selector: str, words: str) -> None:
        """Put words into a field, in place of those that are there."""
        field = self.driver.find_element("css selector", selector)
        field.clear()
        field.send_keys(words)

    def press(self, keys: str) -> None:
        """Press keys wherever the focus is."""
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(keys).perform()

    def until(self, holds: Callable[[], Any], what: str) -> Any:
        """Wait until something holds, and return it."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, WAIT, poll_frequency=0.05).until(lambda _: holds(), what)

    def saved(self, name: str) -> Path:
        """Return a file that the page saved, when it is whole."""
        path = self.downloads / name
        self.until(path.exists, f"{name} among {[one.name for one in self.downloads.iterdir()]}")
        return path

    def requested(self) -> list[str]:
        """Return the addresses that were asked for since the last look."""
        return [one["request"]["url"] for one in self._heard("requestWillBeSent")]

    def frames(self, *, sent: bool = False) -> list[bytes]:
        """Return what web sockets brought since the last look, or what they sent."""
        heard = [one["response"] for one in self._heard(f"webSocketFrame{'Sent' if sent else 'Received'}")]
        return [
            b64decode(one["payloadData"]) if one["opcode"] == 2 else one["payloadData"].encode()
            for one in heard
        ]

    def _heard(self, name: str) -> list[dict[str, Any]]:
        """Return what the network did under a name since the last look at that name."""
        self._traffic += [
            json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")
        ]
        found = [one for one in self._traffic if one["method"] == f"Network.{name}"]
        self._traffic = [one for one in self._traffic if one["method"] != f"Network.{name}"]
        return [one["params"] for one in found]

    def complaints(self) -> list[str]:
        """Return what the browser wrote to its console since the last look: errors, and what was refused."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@contextmanager
def browsing(folder: Path, *, size: tuple[int, int] = (1280, 800)) -> Iterator[Browser]:
    """Start a browser that keeps all it writes in a folder, and end it."""
    from selenium import webdriver

    downloads = folder / "downloads"
    downloads.mkdir(parents=True)
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in (
        "--headless=new",
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size={size[0]},{size[1]}",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        # Nothing but this machine can be found, whatever a page asks for.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        *(["--no-sandbox"] if os.geteuid() == 0 else []),
    ):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    service = webdriver.ChromeService(executable_path=str(DRIVER))
    driver = webdriver.Chrome(options=options, service=service)
    try:
        driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)}
        )
        yield Browser(driver, downloads)
    finally:
        driver.quit()
