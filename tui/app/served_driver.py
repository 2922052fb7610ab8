"""ServedDriver: Textual's driver for browsers, which ends the app where the server goes."""

from __future__ import annotations

from textual.drivers.web_driver import WebDriver
from textual.messages import ExitApp


class ServedDriver(WebDriver):
    """Ends the app at the end of its input: a server that was killed can tell nobody to quit."""

    def run_input_thread(self) -> None:
        """Hand on what is typed, until the driver stops or nobody is there any more."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self.send_message(ExitApp())
