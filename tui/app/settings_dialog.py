"""SettingsDialog: the theme, shown as the cursor moves over names, motion, the terminal, and one's name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.theme import BUILTIN_THEMES
from textual.widgets import OptionList, Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.marks import FAILED, PASSED, UNSURE
from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.actions import Place, bindings
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.settings.settings import author_of, keep_setting
from turnwise.tui.settings.theme_names import THEME_NAMES
from turnwise.tui.shell.looks import Looks
from turnwise.tui.terminal.notices import Notify

NOTES = {
    "dark": "calm, for dark rooms",
    "light": "dark words on white",
    "high-contrast": "every word at 7:1 or better",
    "ansi": "your terminal's own 16 colours",
}
NOTICES: Mapping[Notify, tuple[str, str]] = {
    "never": ("nothing", "the line at the bottom says it"),
    "bell": ("the bell", "rings in the terminal"),
    "terminal": ("a notice", "of the system, if the terminal can"),
}
"""How the end of a long run is told, and what that is like."""
THEME = "theme:"
NAME = "name:"
AROUND = 11
"""Lines of the screen that all but the list takes."""


class SettingsDialog(Dialog[None]):
    """What is taken holds at once, and is kept in the settings.

    Where another theme was looked at it closes before it looks as the one that holds: it is not opened again.
    """

    PLACE: ClassVar[Place] = "settings"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("settings"))
    AUTO_FOCUS = "ChoiceList"
    DEFAULT_CSS = """
    SettingsDialog {
        & #panel { width: 66; }
        & #sample { padding: 1 1 0 1; height: auto; }
    }
    """

    def begin(self) -> None:
        """It is about the settings that hold."""

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Settings: your name, theme, motion, title, notices", classes="title", markup=False)
            yield ChoiceList()
            yield Static(_sample(), id="sample")
            yield KeyLine("settings")

    def on_mount(self) -> None:
        """Show what holds."""
        self.on_resize()
        self.fill()

    def fill(self) -> None:
        """Begin at the theme that holds."""
        # The first theme has the cursor for a moment, and nobody asked to see it.
        with self.prevent(OptionList.OptionHighlighted):
            self.choices.show(list(self._choices()), anew=True)
            self.choices.highlighted = self.choices.get_option_index(f"{THEME}{self._looks.theme}")

    def on_resize(self) -> None:
        """Keep room for the title and the line of keys."""
        self.choices.styles.max_height = max(4, self.size.height - AROUND)

    @property
    def _looks(self) -> Looks:
        return self.shell.looks

    def _show(self) -> None:
        self.choices.show(list(self._choices()))

    def _choices(self) -> Iterator[Choice]:
        looks = self._looks

        def sign(holds: bool) -> str:
            return PASSED if holds else "·"

        settings = self.shell.settings
        yield Choice("names", "Your name on labels", heading=True)
        whose = "enter changes it" if settings.author else "from this machine; enter changes it"
        yield Choice(NAME, make_safe_line(author_of(settings)), whose, sign(True))
        yield Choice(
            "themes", "Theme (NO_COLOR is set: none has colours)" if looks.no_color else "Theme", heading=True
        )
        for name in THEME_NAMES:
            note = NOTES.get(name) or self._ground(name)
            yield Choice(f"{THEME}{name}", name, note, sign(name == looks.theme), disabled=looks.no_color)
        yield Choice("motions", "Motion", heading=True)
        yield Choice("motion:full", "full", "replays type, cursors blink", sign(not looks.reduced_motion))
        yield Choice("motion:reduced", "reduced", "nothing moves by itself", sign(looks.reduced_motion))
        yield Choice("titles", "Title of the terminal", heading=True)
        yield Choice("title:says", "says where you are", "for tabs and screen readers", sign(looks.titled))
        yield Choice("title:left", "is left alone", "", sign(not looks.titled))
        yield Choice("notices", "When a long run ends", heading=True)
        for how, (name, note) in NOTICES.items():
            yield Choice(f"notify:{how}", name, note, sign(looks.notify == how))

    @staticmethod
    def _ground(name: str) -> str:
        """Say whether a theme that people know from elsewhere is a dark one."""
        return "dark" if BUILTIN_THEMES[name].dark else "light"

    # What the keys do

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the theme under the cursor, elsewhere the one that holds."""
        found = event.option_id or ""
        self._looks.show_theme(found.removeprefix(THEME) if found.startswith(THEME) else self._looks.theme)

    def on_option_list_option_selected(self) -> None:
        """Take what was clicked."""
        self.action_choose()

    def action_choose(self) -> None:
        """Take what the cursor is on."""
        choice = self.choices.current
        if choice is None or choice.disabled:
            return
        kind, _, value = choice.id.partition(":")
        if choice.id == NAME:
            self._ask_name()
        elif kind == "theme":
            self._looks.take_theme(value)
        elif kind == "motion":
            self._looks.take_motion(reduced=value == "reduced")
        elif kind == "notify":
            self._looks.take_notice(next(how for how in NOTICES if how == value))
        else:
            self._looks.take_title(says=value == "says")
        self._show()

    @work(group="name", exclusive=True)
    async def _ask_name(self) -> None:
        """Ask who labels, and keep it."""
        about = "It stands at labels of sessions that you open from now on; those before keep theirs."
        asked = self.shell.kept_dialogs.of(NamingDialog, "Your name", about, self.shell.settings.author or "")
        name = await self.app.push_screen_wait(asked)
        if name is not None:
            self.shell.settings = replace(self.shell.settings, author=name)
            try:
                keep_setting("author", name)
            except TurnwiseError as error:
                self.shell.tell_error(error)
            self._show()

    def action_cancel(self) -> None:
        """Go back, in the theme that holds."""
        if not self._looks.shows_theme_that_holds:
            self.shell.kept_dialogs.open_no_more(type(self))
        self._looks.show_theme(self._looks.theme)
        self.dismiss(None)


def _sample() -> Content:
    """Return words in the tones that a theme has, to see how they can be read, and what each is for."""
    return Content.assemble(
        ("The theme under the cursor\n", "$text-accent"),
        ("text  ", "$text"),
        ("quiet text  ", "$text-muted"),
        ("enter", "bold $text"),
        (" a key  ", "$text-muted"),
        (f"{PASSED} passes  ", "$text-success"),
        (f"{FAILED} fails  ", "bold $text-error"),
        (f"{UNSURE} unsure", "$text-warning"),
    )
