"""Which driver reads the keys of a terminal and writes to it, in the place of Textual's own."""

from __future__ import annotations

from textual.driver import Driver


def driver_beside(usual: type[Driver]) -> type[Driver]:
    """Return the driver that takes the place of the usual one: itself, where we have no other."""
    if usual.__name__ == "WebDriver":
        from turnwise.tui.app.served_driver import ServedDriver  # for browsers alone

        return ServedDriver
    if usual.__name__ != "LinuxDriver":
        return usual
    from turnwise.tui.app.escape_driver import EscapeDriver  # not for Windows

    return EscapeDriver
