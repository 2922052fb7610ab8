"""What was read is read again only where something else is wanted, or something has changed since."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from stored import keep

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.shell.last_reading import LastReading


def write(app: TurnwiseApp) -> None:
    keep(app.store, "another", "Yes.")


def hide_nothing(app: TurnwiseApp) -> None:
    app.settings = replace(app.settings, blind=not app.settings.blind)


def see(app: TurnwiseApp) -> None:
    app.seen.add(1)


def test_the_same_is_read_once(app: TurnwiseApp) -> None:
    last = LastReading()
    assert last.is_empty
    assert last.is_outdated(app, 1, "all")
    assert last.find_outdated(app, 1, "all")
    assert not last.is_outdated(app, 1, "all")
    assert not last.find_outdated(app, 1, "all")
    assert last.find_outdated(app, 2, "all")
    assert last.find_outdated(app, 1, "all")


@pytest.mark.parametrize("change", [write, hide_nothing, see])
def test_it_is_read_again_once_something_has_changed(
    app: TurnwiseApp, change: Callable[[TurnwiseApp], None]
) -> None:
    last = LastReading()
    last.find_outdated(app, 1)
    change(app)
    assert last.is_outdated(app, 1)
    assert last.find_outdated(app, 1)
    assert not last.is_outdated(app, 1)


def test_what_is_forgotten_is_read_again(app: TurnwiseApp) -> None:
    last = LastReading()
    last.find_outdated(app)
    last.forget()
    assert last.is_empty
    assert last.is_outdated(app)


def test_what_is_shown_is_as_old_as_what_was_read(app: TurnwiseApp) -> None:
    read, shown = LastReading(), LastReading()
    read.find_outdated(app, 1)
    write(app)
    assert shown.follow(read)
    assert not shown.follow(read)
    assert shown.is_outdated(app, 1)
