"""KeptDialogs: dialogs that are kept when they close, so that they open again at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from textual.renderables.background_screen import BackgroundScreen

from turnwise.tui.drawing.lines_view import Toned
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.textual_screens import (
    can_be_drawn,
    draw_parts_unseen,
    draw_unseen,
    lay_out_unseen,
    mount_unseen,
    read_styles,
    settle_unseen,
    stop_blinking,
    was_laid_out,
)

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen

    from turnwise.tui.shell.dialogs_ahead import Step


class Keepable(Protocol):
    """A dialog of which one is enough: it forgets all of the last time when it is begun."""

    def begin(self, *args: Any, **kwargs: Any) -> None:
        """Take what it is about, as its constructor does."""

    def open_again(self) -> None:
        """Show that, with nothing of the last time."""


D = TypeVar("D", bound=Keepable)


@dataclass(frozen=True, slots=True)
class _Kept:
    dialog: Screen[Any]
    looks: Hashable
    """How the app looked when it was made."""


class KeptDialogs:
    """Gives a dialog of a class: the one that was closed last, or a new one.

    To make the parts of a dialog takes longer than a key may. One that was made for another theme or another
    size of the terminal, of which it heard nothing while it was closed, is not shown again.
    """

    def __init__(self, app: App[Any], looks: Callable[[], Hashable]) -> None:
        """looks: tells what is another once the app looks otherwise than dialogs that are closed."""
        self._app, self._looks = app, looks
        self._kept: dict[type[Any], _Kept] = {}

    def of(self, kind: type[D], *args: Any, **kwargs: Any) -> D:
        """Return a dialog that is begun with these, to be opened now."""
        kept = self._kept.get(kind)
        if kept is not None and (kept.dialog in self._app.screen_stack or _is_coming(kept.dialog)):
            return _made(kind, *args, **kwargs)
        if kept is not None and self._is_ready(kept):
            dialog = cast("D", kept.dialog)
            dialog.begin(*args, **kwargs)
            dialog.open_again()
            return dialog
        if kept is not None:
            self._let_one_go(kind)
        return self._keep(kind, _made(kind, *args, **kwargs))

    def take(self, kind: type[D], *args: Any, **kwargs: Any) -> D:
        """Return a screen that is begun with these, to be opened now, and that is not kept once it closes.

        What is done in such a screen leaves too much behind for it to be begun again.
        """
        kept = self._kept.get(kind)
        if kept is None or _is_coming(kept.dialog):
            return _made(kind, *args, **kwargs)
        if not self._is_ready(kept):
            self._let_one_go(kind)
            return _made(kind, *args, **kwargs)
        del self._kept[kind]
        self._app.uninstall_screen(kept.dialog)
        screen = cast("D", kept.dialog)
        screen.begin(*args, **kwargs)
        screen.open_again()
        return screen

    @property
    def screens(self) -> Collection[Screen[Any]]:
        """All that are kept, also those that are open now."""
        return [kept.dialog for kept in self._kept.values()]

    def ahead(self, kind: type[D]) -> D | None:
        """Return the screen that `take` would give; None where none was made."""
        kept = self._kept.get(kind)
        is_there = kept is not None and not _is_coming(kept.dialog) and self._is_ready(kept)
        return cast("D", kept.dialog) if kept is not None and is_there else None

    def make(self, kind: type[D], begin: Callable[[D], object] = lambda _: None) -> Iterator[Step]:
        """Make a screen and all its parts ahead, in steps, where none is kept; see `of` and `take`.

        begin: begins it with anything, where it cannot be made without that.
        """
        kept = self._kept.get(kind)
        if kept is not None and (kept.dialog in self._app.screen_stack or was_laid_out(kept.dialog)):
            if kept.looks == self._looks() or kept.dialog in self._app.screen_stack:
                return
            self._let_one_go(kind)
            kept = None
        if kept is None:
            made = kind()
            begin(made)
            dialog = cast("Screen[Any]", self._keep(kind, made))
            if read_styles(self._app, dialog):
                yield None
            mount_unseen(self._app, dialog)
            yield None
        else:
            # Another screen came to the front before it was done.
            dialog = kept.dialog
        while not dialog.is_mounted:
            # Its parts come by themselves, unless it was let go meanwhile.
            if (now := self._kept.get(kind)) is None or now.dialog is not dialog:
                return
            yield "wait"
        stop_blinking(dialog)
        if dialog.is_mounted and not was_laid_out(dialog):
            lay_out_unseen(self._app, dialog)
            yield None
        # A query knows a widget by the first of its bases alone.
        for part in [one for one in dialog.walk_children() if isinstance(one, Toned)]:
            part.read_styles()
            yield None
        # As in `settle`.
        if dialog.is_mounted and dialog.is_modal:
            yield from draw_parts_unseen(dialog)
        elif dialog.is_mounted:
            draw_unseen(dialog)
            yield None

    def open_no_more(self, kind: type[Any]) -> None:
        """Do not show the dialog that is open now again: it looks otherwise than the app will."""
        if (kept := self._kept.get(kind)) is not None:
            self._kept[kind] = _Kept(kept.dialog, None)

    def dim_below(self, kind: type[Any]) -> None:
        """Dim the screen in front as a dialog that was made ahead will, so that this one need not."""
        screen, kept = self._app.screen, self._kept.get(kind)
        if kept is None or not isinstance(screen, StillScreen) or not can_be_drawn(screen):
            return
        if (ground := kept.dialog.styles.background).a < 1:
            screen.dimmed.of(BackgroundScreen(screen, ground))

    def settle(self) -> bool:
        """Lay out anew one of the screens made ahead that ask for it; return whether there was one."""
        waiting = (kept.dialog for kept in self._kept.values() if kept.dialog not in self._app.screen_stack)
        # What is seen through the ground of a dialog is not known yet.
        return any(settle_unseen(self._app, one) for one in waiting if one.is_mounted and not one.is_modal)

    def _is_ready(self, kept: _Kept) -> bool:
        return kept.looks == self._looks() and kept.dialog.is_mounted

    def _let_one_go(self, kind: type[Any]) -> None:
        dialog = self._kept.pop(kind).dialog
        self._app.uninstall_screen(dialog)
        dialog.remove()

    def _keep(self, kind: type[D], dialog: D) -> D:
        screen = cast("Screen[Any]", dialog)
        self._app.install_screen(screen, f"kept {kind.__name__}")
        self._kept[kind] = _Kept(screen, self._looks())
        return dialog

    def let_go(self, there: Sequence[Screen[Any]]) -> None:
        """Let nothing move in those that have been closed."""
        for kept in self._kept.values():
            if kept.dialog not in there:
                stop_blinking(kept.dialog)


def _is_coming(dialog: Screen[Any]) -> bool:
    """Whether a dialog is being made ahead: its parts are not there yet."""
    return dialog.is_running and not dialog.is_mounted


def _made(kind: type[D], *args: Any, **kwargs: Any) -> D:
    dialog = kind()
    dialog.begin(*args, **kwargs)
    return dialog
