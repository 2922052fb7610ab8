"""Looks: the theme, how much moves, and what the terminal is told: its title, links, the end of a run."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.events import Resize
from textual.screen import Screen, SystemModalScreen
from textual.scrollbar import ScrollBar
from textual.widget import Widget

from turnwise.conversations.errors import TurnwiseError
from turnwise.tui.drawing.whole_cells import WholeCells
from turnwise.tui.settings.settings import Settings, keep_setting, wants_less_motion
from turnwise.tui.settings.themes import PREFIX, theme_of, wants_no_color
from turnwise.tui.terminal.links import takes_links
from turnwise.tui.terminal.nearest_colors import OF_256, take_nearest_colors
from turnwise.tui.terminal.notices import LONG_RUN_SECONDS, Notify, notice
from turnwise.tui.terminal.terminal_title import place_in_words, title_sequence
from turnwise.tui.textual_internals.apps import on_front_change
from turnwise.tui.textual_internals.terminals import draw_without_links, send_code


class Looks:
    """How the app looks to this person on this terminal."""

    def __init__(
        self, app: App[Any], settings: Settings, tell_error: Callable[[TurnwiseError], None]
    ) -> None:
        """app: that is drawn. settings: as it begins. tell_error: hears why a choice cannot be kept."""
        self._app = app
        self._tell_error = tell_error
        self.no_color = wants_no_color(os.environ)
        """Whether all is drawn without colours: NO_COLOR asks for it."""
        self.reduced_motion = wants_less_motion(settings, os.environ)
        """Whether nothing moves by itself: no typing, no scrolling in steps, no blinking."""
        self.titled = settings.terminal_title
        """Whether the terminal's title says where one is."""
        self._linked = settings.links and takes_links(os.environ)
        self.notify: Notify = settings.notify
        """How the end of a long run is told."""
        self._title = ""
        self._kept = ""

    def begin(self, theme: str) -> None:
        """Draw in a theme, by the name it is registered as, and as still as is wanted."""
        self._kept = theme.removeprefix(PREFIX)
        self.show_theme(self._kept)
        self._still()
        if self._app.console.color_system == OF_256:
            take_nearest_colors()
        ScrollBar.renderer = WholeCells
        if not self._linked:
            draw_without_links(self._app)

    def tell_end(self, words: str, seconds: float) -> None:
        """Let the terminal tell of the end of what took so long, where that is long and wanted."""
        if seconds >= LONG_RUN_SECONDS:
            send_code(self._app, notice(self.notify, words, os.environ))

    def follow(self) -> None:
        """Say in the terminal's title where one is, from now on."""
        app = self._app
        on_front_change(app, lambda: self.say_place(app.screen))
        app.app_resume_signal.subscribe(app, lambda _: self.say_again())
        app.call_after_refresh(lambda: self.say_place(app.screen))

    # The theme

    @property
    def theme(self) -> str:
        """The theme that was chosen, by the name that people use."""
        return self._kept

    @property
    def shows_theme_that_holds(self) -> bool:
        """Whether nothing but the theme that was chosen is looked at."""
        return self._app.theme == PREFIX + self._kept

    def show_theme(self, name: str) -> None:
        """Draw in a theme without keeping it."""
        theme = theme_of(PREFIX + name)
        if theme.name == self._app.theme:
            return
        if theme.name not in self._app.available_themes:
            self._app.register_theme(theme)
        self._app.theme = theme.name
        self._app.call_after_refresh(self._draw_anew)

    def _draw_anew(self) -> None:
        # Parts are told of another theme before the styles of what they draw are those of it.
        for screen in self._app.screen_stack:
            if isinstance(screen, SystemModalScreen):
                # The palette of commands is none of the app's children, whose styles a theme changes.
                self._app.stylesheet.update(screen)
            for widget in screen.walk_children(Widget):
                widget.notify_style_update()
                widget.refresh()
                _write_anew(widget)
            _write_anew(screen)

    def take_theme(self, name: str) -> None:
        """Change the theme, by the name that people use, and keep it in the settings."""
        if self.no_color:
            self._app.notify("NO_COLOR is set: there are no colours to change.")
            return
        self._kept = name
        self.show_theme(name)
        self._keep("theme", name)

    # What moves

    def take_motion(self, *, reduced: bool) -> None:
        """Let things move by themselves, or not, and keep it."""
        self.reduced_motion = reduced
        self._still()
        self._keep("motion", "reduced" if reduced else "full")

    def _still(self) -> None:
        if self.reduced_motion:
            self._app.animation_level = "none"

    def heed_focus(self, widget: Widget) -> None:
        """Keep the cursor of a line that is typed in from blinking, where nothing is to move."""
        # Both kinds of field that are typed in have it, and to load both would hold up the first paint.
        if hasattr(widget, "cursor_blink"):
            widget.cursor_blink = not self.reduced_motion

    # The end of a run

    def take_notice(self, how: Notify) -> None:
        """Let the end of a long run be told so, show what that is like, and keep it."""
        self.notify = how
        send_code(self._app, notice(how, "The end of a run is told like this.", os.environ))
        self._keep("notify", how)

    # The terminal's title

    def take_title(self, *, says: bool) -> None:
        """Let the terminal's title say where one is, or leave it alone, and keep that."""
        if not says:
            self._say("")
        self.titled = says
        self._title = ""
        self.say_place(self._app.screen)
        self._keep("terminal_title", says)

    def say_place(self, screen: Screen[Any]) -> None:
        """Say in the terminal's title where one is."""
        # By its name, as parts know the shell and not the other way round.
        bars = screen.query("TitleBar") if screen.is_mounted else ()
        title: str = getattr(bars.first(), "title", "") if bars else ""
        self._say(place_in_words(getattr(screen, "PLACE", ""), title))

    def say_again(self) -> None:
        """Say it anew, after the terminal was another program's."""
        title, self._title = self._title, ""
        self._say(title)

    def _say(self, words: str) -> None:
        if self.titled and words != self._title:
            self._title = words
            send_code(self._app, title_sequence(words))

    def _keep(self, name: str, value: str | bool) -> None:
        try:
            keep_setting(name, value)
        except TurnwiseError as error:
            self._tell_error(error)


def _write_anew(part: Widget) -> None:
    """Let a screen or a part write its lines anew, as it does in another size: lines hold their colours."""
    if part.size:
        part.post_message(Resize(part.size, part.virtual_size, part.container_size))
