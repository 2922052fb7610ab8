"""PreferenceEndDialog: what pairs came to, how strong each group is and who leans to a side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal, cast

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted
from turnwise.engine.people.preferring import GroupStrength, PairStrengths
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.bars import bar_with_interval
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.pairs.preference_words import share_words, side_words
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine

EndStep = Literal["look_back", "leave"]
"""Where one may go from here."""
MOST_NAME, BAR_CELLS = 24, 16
MOST_PEOPLE = 6


class PreferenceEndDialog(Dialog[EndStep]):
    """Shows the strengths of a queue of pairs; ends with where to go."""

    PLACE: ClassVar[Place] = "preferences"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("preferences"))
    DEFAULT_CSS = "PreferenceEndDialog .found { padding: 0 1; height: auto; margin-bottom: 1; }"

    def __init__(self, strengths: PairStrengths, *, done: bool) -> None:
        """done: its reader has just compared the last of its pairs."""
        super().__init__()
        self._strengths, self._done = strengths, done

    def compose(self) -> ComposeResult:
        """Lay the card out."""
        found = self._strengths
        name = make_safe_line(found.name)
        with Vertical(id="panel"):
            title = f"You compared all pairs of “{name}”" if self._done else f"The pairs “{name}”"
            yield Static(title, classes="title", markup=False)
            yield Static(strength_content(found), classes="found")
            yield Static("\n".join(about_lines(found)), classes="words found", markup=False)
            yield ChoiceList()
            yield KeyLine("preferences")

    def on_mount(self) -> None:
        """Offer what comes next."""
        again = Choice("look_back", "Look back", "the pairs, and what you said of them", sign="▸")
        leave = Choice("leave", "Leave", "back to where they were opened", sign="·")
        self.choices.show([again, leave] if self._done else [leave])
        self.choices.focus()

    def on_option_list_option_selected(self) -> None:
        """Go where was clicked."""
        self.action_choose()

    def action_choose(self) -> None:
        """Go where the cursor is."""
        if (choice := self.choices.current) is not None:
            self.dismiss(cast("EndStep", choice.id))

    def action_cancel(self) -> None:
        """Leave."""
        self.dismiss("leave")


def strength_content(found: PairStrengths) -> Content:
    """Show how often each group is preferred, the strongest first, as a bar and in figures."""
    width = max((min(MOST_NAME, cell_len(make_safe_line(one.group))) for one in found.groups), default=0)
    width = max(width, len("group"))
    head = f"{'group':<{width}}  {'won':>4} {'tied':>4} {'lost':>4}  preferred to the others"
    lines: list[str | tuple[str, str]] = [(head, "$text-muted")]
    for one in found.groups:
        name = fit(make_safe_line(one.group), width)
        lines += [(f"\n{name}", "bold"), f"  {one.won:>4,} {one.tied:>4,} {one.lost:>4,}  ", *_share(one)]
    return Content.assemble(*lines)


def _share(one: GroupStrength) -> Sequence[str | tuple[str, str]]:
    """Draw how often a group is preferred; without an interval only the figure and why there is none."""
    share = one.win_share
    value, told = share_words(share)
    if share.value is None or share.low is None or share.high is None:
        return [f"{value:>5}  ", (told, "$text-muted")]
    drawn = bar_with_interval(share.value, (share.low, share.high), BAR_CELLS)
    return [(drawn, "$text-accent"), f" {value:>5}  ", (told, "$text-muted")]


def about_lines(found: PairStrengths) -> list[str]:
    """Say how much was compared, what cannot be told, and who leans to a side."""
    by = found.by.removeprefix("meta.")
    lines = [f"{found.done:,} of {counted(found.pairs, 'pair')} compared, groups by {by}."]
    if len(found.parts) > 1:
        lines.append("Some groups were never set beside each other, so no strength can be told across them.")
    lines += [make_safe_line(f"{side_words(one)}.") for one in found.people[:MOST_PEOPLE]]
    if len(found.people) > MOST_PEOPLE:
        lines.append(f"and {len(found.people) - MOST_PEOPLE:,} more people")
    return lines
