"""TagsDialog: gives sessions tags and takes them away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import TagChange
from turnwise.conversations.words import counted
from turnwise.tui.actions import Place, bindings
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.shell.kept_finding import KeptFinding

NEW = "\0new"
"""The choice that makes a tag of what was typed; no tag is called so."""


class TagsDialog(Dialog[list[TagChange]]):
    """Every choice is kept at once; ends with the changes, oldest first."""

    PLACE: ClassVar[Place] = "tags"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("tags"))
    DEFAULT_CSS = """
    TagsDialog #panel { width: 72; }
    TagsDialog #unlisted { margin-bottom: 1; }
    TagsDialog ChoiceList { max-height: 12; min-height: 3; margin-top: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._in_all = KeptFinding[dict[str, int]]()
        """How many of all sessions have each tag, as it was read last."""

    def begin(self, session_ids: Sequence[int], name: str = "", *, unlisted: str = "") -> None:
        """name: of the session, where it is one. unlisted: says which of the sessions are not in sight."""
        self._unlisted = unlisted
        self._session_ids = session_ids
        self._name_shown = name
        self._all: dict[str, int] = {}
        self._here: dict[str, int] = {}
        self._changes: list[TagChange] = []
        self._at_work = False
        self._done = ""
        """What the last choice did, until somebody types."""

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(Content(self._heading), classes="title")
            yield Static(Content(""), id="unlisted", classes="words")
            yield Input(placeholder="(type to find a tag, or a new one)", select_on_focus=False)
            yield ChoiceList()
            yield Static(Content(""), id="about", classes="words")
            yield Static(classes="wrong", markup=False)
            yield KeyLine("tags")

    def on_mount(self) -> None:
        """Read the tags."""
        self._tell_unlisted()
        self.query_one(ChoiceList).can_focus = False
        self.query_one(Input).focus()
        self._change(self._session_ids, "", self._stand)

    def fill(self) -> None:
        """Read the tags of other sessions; those of one at once, where all others are known."""
        rewrite(self.query_one(".title", Static), self._heading)
        self._tell_unlisted()
        self.query_one(Input).value = ""
        in_all = self._in_all.of(self._stand)
        if in_all is not None and len(self._session_ids) == 1:
            self._all, self._here = in_all, self.shell.store.tags.counts(self._session_ids)
            self._show(anew=True)
        else:
            self.query_one(ChoiceList).show((), anew=True)
            rewrite(self.query_one("#about", Static), "")
            self._change(self._session_ids, "", self._stand)

    def _tell_unlisted(self) -> None:
        line = self.query_one("#unlisted", Static)
        rewrite(line, self._unlisted)
        line.display = bool(self._unlisted)

    @property
    def _heading(self) -> str:
        count = len(self._session_ids)
        whose = f"{count:,} sessions" if count > 1 else make_safe_line(self._name_shown) or "the session"
        return f"Tags of {whose}"

    @property
    def _stand(self) -> tuple[int, int]:
        return self.shell.store.growing.revision()

    @property
    def _typed(self) -> str:
        return " ".join(self.query_one(Input).value.split())

    @work(thread=True, exclusive=True, group="tags")
    def _change(
        self, session_ids: Sequence[int], tag: str, stood: tuple[int, int], *, give: bool = True
    ) -> None:
        """Give or take a tag, and read what there is then; without a tag only read.

        stood: how the store stood when it was asked for.
        """
        store = self.shell.store
        change: TagChange | None = None
        if tag:
            chosen = {"give": [tag]} if give else {"take": [tag]}
            try:
                # The keys wait for it.
                with store.impatient():
                    change = store.tags.change(session_ids, **chosen)
            except TurnwiseError as error:
                hand_over(self, self._refuse, session_ids, error)
                return
        everywhere, here = store.tags.counts(), store.tags.counts(session_ids)
        hand_over(self, self._take, session_ids, stood, change, everywhere, here)

    def _refuse(self, session_ids: Sequence[int], error: TurnwiseError) -> None:
        if session_ids is self._session_ids:
            self._at_work = False
            rewrite(self.query_one("#about", Static), self._done)
            self.refuse(error)

    def _take(
        self,
        session_ids: Sequence[int],
        stood: tuple[int, int],
        change: TagChange | None,
        everywhere: dict[str, int],
        here: dict[str, int],
    ) -> None:
        if session_ids is not self._session_ids:
            # It was closed, and opened again about others.
            return
        self._in_all.keep(stood, everywhere)
        self._all, self._here, self._at_work = everywhere, here, False
        if change is not None:
            self._changes.append(change)
            words = f"given to {change.sessions:,}" if change.given else f"taken from {change.sessions:,}"
            tag = (change.given or change.taken or ((0, ""),))[0][1]
            self._done = make_safe_line(f"{tag}: {words}")
            self.query_one(Input).value = ""
        self._show()

    def _show(self, *, anew: bool = False) -> None:
        self.query_one(".wrong").display = False
        typed = self._typed.casefold()
        # Those the sessions have first, then the frequent ones.
        known = sorted(self._all, key=lambda tag: (-self._here.get(tag, 0), -self._all[tag], tag))
        found = [tag for tag in known if typed in tag.casefold()]
        found.sort(key=lambda tag: not tag.casefold().startswith(typed))
        choices = [Choice(tag, tag, self._note(tag), sign=self._sign(tag)) for tag in found]
        if typed and self._typed not in self._all:
            choices.append(Choice(NEW, self._typed, "a new tag", sign="+"))
        self.query_one(ChoiceList).show(choices, anew=anew)
        words = self._done if not typed and choices else ""
        rewrite(self.query_one("#about", Static), words if choices else "No tags yet: type the first.")

    def _sign(self, tag: str) -> str:
        count = self._here.get(tag, 0)
        return "✓" if count == len(self._session_ids) else "~" if count else "·"

    def _note(self, tag: str) -> str:
        count = self._here.get(tag, 0)
        some = f"{count:,} of these, " if 0 < count < len(self._session_ids) else ""
        return f"{some}{counted(self._all[tag], 'session')} in all"

    def on_input_changed(self) -> None:
        """Show what matches."""
        self._show()

    def on_input_submitted(self) -> None:
        """Give or take the tag under the cursor."""
        self.action_give()

    def on_option_list_option_selected(self) -> None:
        """Give or take what was clicked."""
        self.action_give()

    def action_give(self) -> None:
        """Give the tag to all; where all have it, take it away."""
        choice = self.query_one(ChoiceList).current
        if choice is None or self._at_work:
            return
        self._at_work = True
        tag = self._typed if choice.id == NEW else choice.id
        rewrite(self.query_one("#about", Static), "…")
        give = self._here.get(tag, 0) < len(self._session_ids)
        self._change(self._session_ids, tag, self._stand, give=give)

    def action_complete(self) -> None:
        """Write the tag under the cursor."""
        choice = self.query_one(ChoiceList).current
        # What a terminal would obey is not written into the line.
        if choice is not None and choice.id != NEW and choice.id == make_safe_line(choice.id):
            field = self.query_one(Input)
            field.value = choice.id
            field.cursor_position = len(choice.id)

    def action_cancel(self) -> None:
        """Go back; what was chosen is kept already."""
        if not self._at_work:
            self.dismiss(self._changes)
