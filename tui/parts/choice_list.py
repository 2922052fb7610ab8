"""ChoiceList: a short list to choose from: a sign, a name, and a note beside it in dim words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

from rich.cells import cell_len
from textual.content import Content
from textual.dom import NoScreen
from textual.geometry import Size
from textual.reactive import Reactive, reactive
from textual.strip import Strip
from textual.style import Style
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.tui.drawing.jump_places import JumpPlace
from turnwise.tui.drawing.lines_view import with_bar
from turnwise.tui.drawing.palette import component
from turnwise.tui.textual_internals.views import (
    count_lines,
    draws_options_once,
    replace_line,
    shows_focus_in_lines,
)

WIDEST_NAME = 34
"""So far from the left notes stand at most, unless the longest name and the longest note have room."""
_LEAST_NAME = 12
_UNDER_CURSOR = "option-list--option-highlighted"
CHOSEN_AWAY = "›"
"""Stands at the choice under the cursor while one types elsewhere. A bar, however thin, would look
like a second place where keys go, or like the edge of a field."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose. sign: a number or a tick before the name. note: what to know about it.

    heading: it is none, but stands above some that belong together. row: all of it as it is drawn, where name
    and note do not say it.
    """

    id: str
    name: str
    note: str = ""
    sign: str = ""
    disabled: bool = False
    heading: bool = False
    row: Content | None = None


_Shown = tuple[tuple[Choice, ...], str, tuple[int, int]]


@draws_options_once
@shows_focus_in_lines
class ChoiceList(OptionList, inherit_bindings=False):
    """A list of choices without keys of its own: dialogs bind its actions."""

    DEFAULT_CSS = """
    ChoiceList {
        height: auto;
        background: $surface;
        border: none;
        padding: 0;
        text-wrap: nowrap;
        text-overflow: ellipsis;
        scrollbar-size-vertical: 1;
        &:focus { border: none; background-tint: transparent; }
        & > .option-list--option { padding: 0 1; }
        & > .option-list--option-highlighted { background: $panel; color: $text; text-style: bold; }
        &:focus > .option-list--option-highlighted { background: $panel; color: $text; text-style: bold; }
        & > .option-list--option-hover { background: $panel; }
        & > .choices--away { background: $panel; color: $text; text-style: bold; }
        & .choices--bar { color: $accent; }
        & .choices--bar-away { color: $text-muted; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"choices--away", "choices--bar", "choices--bar-away"}
    # Its height is that of its options, and a scroll bar that it needs asks for its room itself.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), repaint=False)
    # A plain list draws all its lines anew, down to the empty ones, where two look otherwise.
    highlighted: reactive[int | None] = reactive(None, repaint=False)

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, markup=False)
        self._shown: _Shown = ((), "", (0, 0))
        """The choices, the tone of what is dim in them, and the cells of signs and of names.

        To write them takes longer than a key may.
        """

    @property
    def _choices(self) -> tuple[Choice, ...]:
        return self._shown[0]

    @property
    def current(self) -> Choice | None:
        """The choice under the cursor."""
        return None if self.highlighted is None else self._choices[self.highlighted]

    @property
    def cut_note(self) -> str:
        """The note of the choice under the cursor where the list has no room for all of it; else empty."""
        choice = self.current
        if choice is None or choice.heading:
            return ""
        signs, names = self._shown[2]
        taken = (signs + 2 if signs else 0) + max(names, cell_len(choice.name)) + 2
        return choice.note if 0 < self._room < taken + cell_len(choice.note) else ""

    def name_room(self, notes: int, signs: int = 0) -> int:
        """Return the cells that names may take before notes and behind signs of so many cells."""
        return max(_LEAST_NAME, self._room - (signs + 2 if signs else 0) - 2 - notes)

    @property
    def _room(self) -> int:
        """The cells of a line; before it is laid out nothing is known of them, and it is below 1."""
        # One stands free at either side.
        return self.scrollable_content_region.width - 2

    def render_line(self, y: int) -> Strip:
        """Draw a line; a bar at its left is the cursor, and a small sign is it where keys go elsewhere."""
        strip = super().render_line(y)
        if self.highlighted is None or y + self.scroll_offset.y != self.highlighted or not strip.cell_length:
            return strip
        if self.has_focus:
            return with_bar(strip, component(self, "choices--bar"))
        return with_bar(strip, component(self, "choices--bar-away"), CHOSEN_AWAY)

    def _watch_highlighted(self, before: int | None, now: int | None) -> None:
        """Draw the choices anew between which the cursor moves; each has a line."""
        for place in (before, now):
            if place is not None:
                self.refresh_line(place)

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Leave the styles as they are: Textual would find them all anew, and draw all lines."""

    def focus(self, scroll_visible: bool = True) -> Self:
        """Take the focus as soon as what is under way is done; Textual would draw all lines anew before."""

        def take() -> None:
            # Its screen may have gone by then.
            with suppress(NoScreen):
                self.screen.set_focus(self, scroll_visible=scroll_visible)

        self.app.call_later(take)
        return self

    def get_visual_style(self, *component_classes: str, partial: bool = False) -> Style:
        """Return the style of a part; the line of the cursor has another one where keys go elsewhere."""
        if self.has_focus or _UNDER_CURSOR not in component_classes:
            return super().get_visual_style(*component_classes, partial=partial)
        away = ("choices--away" if one == _UNDER_CURSOR else one for one in component_classes)
        return super().get_visual_style(*away, partial=partial)

    def focus_lines(self) -> Iterable[int]:
        """Return the line of the cursor, which alone shows whether the list has the focus."""
        return () if self.highlighted is None else (self.highlighted - self.scroll_offset.y,)

    def on_resize(self) -> None:
        """Keep the cursor in sight, also where other parts of a dialog took lines."""
        self.scroll_to_highlight()

    def jump_places(self) -> list[JumpPlace]:
        """Return the choices in sight."""
        top = round(self.scroll_y)
        last = min(top + self.size.height, len(self._choices))
        return [
            JumpPlace(0, place - top, partial(self._jump, place))
            for place in range(top, last)
            if not (self._choices[place].disabled or self._choices[place].heading)
        ]

    def _jump(self, place: int) -> None:
        self.highlighted = place
        if self.focusable:
            self.focus()

    # What screens bind keys to

    def action_choice_down(self) -> None:
        """Go to the next choice."""
        self.action_cursor_down()

    def action_choice_up(self) -> None:
        """Go to the choice before."""
        self.action_cursor_up()

    def action_page_down(self) -> None:
        """Go down by a page; Textual finds no lines in a list that is not laid out yet."""
        if self._room > 0:
            super().action_page_down()  # type: ignore[no-untyped-call]

    def action_page_up(self) -> None:
        """Go up by a page, as down."""
        if self._room > 0:
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_home(self) -> None:
        """Go to the first choice."""
        self.action_first()

    def action_end(self) -> None:
        """Go to the last choice."""
        self.action_last()

    def show(self, choices: Sequence[Choice], *, anew: bool = False) -> None:
        """Show these choices; the cursor stays with its choice if that is still there.

        anew: it stands on the first, as where nobody has moved it yet.
        """
        current = self.current.id if self.current and not anew else None
        # Of the terminal's own colours none is half as bright as another.
        muted = "$text-muted dim" if self.app.current_theme.ansi else "$text-muted"
        is_first = not self._choices
        if (shown := (tuple(choices), muted, _widths(choices, self._room))) != self._shown:
            before, self._shown = self._shown, shown
            if _has_same_places(before, shown) and self.option_count:
                self._write_changed(before[0])
            else:
                self._write()
        if is_first and self._room > 0:
            # Else its scroll bar would come once it is drawn, and all be laid out once more. How high a list
            # will be that held others is not known yet.
            count_lines(self)
        self._go_to_usable(current)
        if anew:
            self.scroll_to(y=0, animate=False)

    def _write(self) -> None:
        choices, muted, (signs, names) = self._shown
        self.clear_options()
        self.add_options(
            Option(
                _prompt(choice, signs, names, muted),
                id=choice.id,
                disabled=choice.disabled or choice.heading,
            )
            for choice in choices
        )

    def _write_changed(self, before: Sequence[Choice]) -> None:
        """Write those choices anew that are others than before at their places, as where one was ticked."""
        choices, muted, (signs, names) = self._shown
        for place, (old, new) in enumerate(zip(before, choices, strict=True)):
            if old != new:
                replace_line(self, place, _prompt(new, signs, names, muted))

    def _go_to_usable(self, wanted: str | None) -> None:
        places = [place for place, choice in enumerate(self._choices) if choice.id == wanted]
        usable = (place for place, one in enumerate(self._choices) if not (one.disabled or one.heading))
        self.highlighted = next(iter(places or usable), None)


def _has_same_places(before: _Shown, now: _Shown) -> bool:
    """Whether the same choices stand at the same places, with as many cells for each of their parts."""
    places = ([(one.id, one.disabled, one.heading) for one in shown[0]] for shown in (before, now))
    return before[1:] == now[1:] and next(places) == next(places)


def _widths(choices: Sequence[Choice], room: int) -> tuple[int, int]:
    """Return the cells of signs, and of names, beside which notes stand. room: cells of a line."""
    signs = max((cell_len(choice.sign) for choice in choices), default=0)
    usable = [one for one in choices if not one.heading]
    names = max((cell_len(one.name) for one in usable), default=0)
    notes = max((cell_len(one.note) for one in usable), default=0)
    free = room - (signs + 2 if signs else 0) - 2 - notes
    return signs, names if names <= max(WIDEST_NAME, free) else WIDEST_NAME


def _prompt(choice: Choice, signs: int, names: int, muted: str) -> Content:
    if choice.row is not None:
        return choice.row
    name = make_safe_line(choice.name)
    if choice.heading:
        return Content.assemble((name, "$text-accent bold"))
    gap = " " * max(2, names + 2 - cell_len(name))
    tone = muted if choice.disabled else ""
    # Spaces stay in a note, as figures stand in columns by them.
    note = make_safe(choice.note).strip().replace("\n", " ")
    return Content.assemble(
        (choice.sign.ljust(signs) + "  " if signs else "", tone),
        (name, tone),
        (gap + note if note else "", f"{muted} not bold"),
    )
