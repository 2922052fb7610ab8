"""MappingDialog: what stands where in an unknown file: its record beside pickers and the first turns."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal, NamedTuple

from rich.table import Table
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Input, OptionList, Static, Tree

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.formats.mapped import EACH, DataPath, parse_path
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.drawing.palette import component
from turnwise.tui.importing.mapping_draft import OF_SPEAKERS, PARTS, FirstTurns, MappingDraft
from turnwise.tui.importing.record_tree import RecordTree
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.settings.kept_maps import kept_maps
from turnwise.tui.settings.keymap import fill_keys

LABELS = {
    "messages": ("Messages", "the list that holds them; empty if each record is a message"),
    "role": ("Who speaks", "in a message"),
    "content": ("Text", "what is said in a message"),
    "time": ("Time", "when it was said"),
    "date": ("Date", "the day, if the time is a clock without it"),
    "tool_calls": ("Tool calls", "in a message: names, or objects with a name"),
    "id": ("Id", "of the conversation; in messages, it tells which belong together"),
    "name": ("Title", "of the conversation"),
    "user": ("User", "the question, where each record is a question with its answer"),
    "assistant": ("Chatbot", "the answer, where each record is a question with its answer"),
    "kept": ("Save map as", "a name, for the next such file; or a saved one"),
}
"""How each line is called, and what it asks for."""
SPEAKERS = {
    "user": "their name under “Who speaks”",
    "assistant": "its name under “Who speaks”; all others are users",
}
"""What the lines of the two sides ask for where it is said who speaks."""
BESIDE_RECORD = 26
"""Lines that the dialog has beside those of the record: what stands around it, and the first turns."""
LEAST_HIGH, MOST_HIGH = 36, 48
"""Lines of the dialog: a small record leaves no blank ones, and a large one is folded."""
NEEDED = frozenset({"role", "content", "assistant"})
"""Without these nothing can be read; all other lines may stay empty."""
NOT_IMPORTED = "Not imported: what is lacking stands under The first turns."
CHOOSE_FIRST = "Choose the chatbot first: {mapping.choice_up} {mapping.choice_down}"
Lacking = Literal["", "marked", "line"]
ENTER_TITLES: dict[Lacking, str] = {"marked": "choose the marked one", "line": "choose the chatbot"}
"""What enter does while nobody said who the chatbot is, by where the keys go."""
_OPTIONAL = "(optional)"
CHOOSE = "choose: {mapping.choice_up} {mapping.choice_down}"


class ToldMapping(NamedTuple):
    """What was said: a mapping as --map takes it, and the name to keep it under, if any."""

    text: str
    kept_as: str = ""


class FirstTurnsView(Static):
    """Shows the first turns as they read now, or what is wrong."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"turns--user", "turns--assistant", "turns--call", "turns--wrong"}
    DEFAULT_CSS = """
    FirstTurnsView {
        height: auto;
        & .turns--user { color: $text-accent; text-style: bold; }
        & .turns--assistant { color: $text; text-style: bold; }
        & .turns--call { color: $text-muted; }
        & .turns--wrong { color: $text-error; }
    }
    """

    def show(self, first: FirstTurns) -> None:
        """Show these."""
        if told := first.wrong or first.hint:
            style = component(self, "turns--wrong" if first.wrong else "turns--call")
            self.update(Text(make_safe(told), style))
            return
        drawn = Table.grid(padding=(0, 1))
        drawn.add_column(width=9)
        drawn.add_column(ratio=1)
        for remark in first.remarks:
            drawn.add_row(Text("Note", component(self, "turns--call")), Text(make_safe(remark)))
        for turn in first.turns:
            style = component(self, "turns--assistant" if turn.role == "assistant" else "turns--user")
            words = Text(make_safe(turn.content).strip() or "–")
            for call in turn.tools_called or ():
                words.append(f"\n→ {make_safe_line(call.name)}", component(self, "turns--call"))
            drawn.add_row(Text(turn.role, style), words)
        self.update(drawn)


class MappingDialog(Dialog[ToldMapping | None]):
    """Lets a person say what stands where; the result is what they said, None if they went back."""

    PLACE: ClassVar[Place] = "mapping"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("mapping"))
    DEFAULT_CSS = """
    MappingDialog {
        & #panel { width: 96%; max-width: 156; height: 96%; }
        & .title { margin-bottom: 0; text-wrap: nowrap; text-overflow: ellipsis; }
        & #asked {
            height: 1; padding: 0 1; margin-bottom: 1;
            color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis;
        }
        & #body { height: 1fr; }
        & #form { width: 36%; min-width: 32; max-width: 50; margin-right: 3; }
        & #asked.-wrong { color: $text-error; text-style: bold; }
        & .line { height: 1; }
        &.-high .line { margin-bottom: 1; }
        & .line Static { width: 13; padding: 0 1; color: $text-muted; }
        & .line.-here Static { color: $text; text-style: bold; }
        & .line Input { width: 1fr; }
        /* What is taken where nothing is typed looks as what is typed. */
        & .line Input.-counts > .input--placeholder { color: $text; text-style: none; }
        & #form ChoiceList { height: 1fr; }
        & .heading { height: 1; color: $text; text-style: bold; text-wrap: nowrap; text-overflow: ellipsis; }
        & #seen { width: 1fr; }
        & RecordTree { height: auto; min-height: 4; max-height: 50%; }
        & #turns { height: 1fr; margin-top: 0; scrollbar-size-vertical: 1; }
        & #turns-heading { margin-top: 1; }
        & KeyLine { margin-top: 1; }
    }
    """

    def __init__(self, draft: MappingDraft) -> None:
        super().__init__()
        self._draft = draft
        self._part = "messages"
        self._taking = "messages"
        """The line that what is chosen in the record goes into: the last one that may hold a part of it."""
        self._kept = kept_maps()
        fitting = [name for name in draft.fitting(self._kept) if draft.can_say(self._kept[name])]
        self._fitting = fitting[0] if fitting else ""
        if self._fitting:
            draft.take(self._kept[self._fitting])
        self._is_new = True
        self._asks_chatbot = False
        self._reading = NewestReading(self)

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            told = f", as you kept it under {self._fitting}" if self._fitting else ""
            title = f"Which field holds what in {make_safe_line(self._draft.file)}{make_safe_line(told)}"
            yield Static(title, classes="title", markup=False)
            yield Static("", id="asked", markup=False)
            with Horizontal(id="body"):
                with Vertical(id="form"):
                    for place, (part, (label, _)) in enumerate(LABELS.items()):
                        with Horizontal(classes="line -other" if place % 2 else "line"):
                            yield Static(label, markup=False)
                            yield Input(
                                self._draft.parts.get(part, ""),
                                placeholder="" if part in NEEDED else _OPTIONAL,
                                select_on_focus=False,
                                id=f"part-{part}",
                            )
                    yield Static("", id="offered", classes="heading", markup=False)
                    yield ChoiceList()
                with Vertical(id="seen"):
                    yield Static("The first record", classes="heading", markup=False)
                    yield RecordTree(self._draft.records[0])
                    yield Static("The first turns", id="turns-heading", classes="heading", markup=False)
                    with VerticalScroll(id="turns", can_focus=False):
                        yield FirstTurnsView()
            yield KeyLine("mapping")

    def on_mount(self) -> None:
        """Begin at what is likely to be missing."""
        self.query_one(ChoiceList).can_focus = False
        seen = BESIDE_RECORD + self._tree.last_line
        self.query_one("#panel").styles.max_height = max(LEAST_HIGH, min(MOST_HIGH, seen))
        is_pair = self._draft.parts.get("user") and not self._draft.parts.get("role")
        begin = "user" if is_pair else "messages" if self._draft.choices("messages") else "role"
        self._part = begin
        self._line(begin).focus()
        self._offer()
        self._read()
        self.call_after_refresh(self._show_messages)

    def _show_messages(self) -> None:
        path = self._draft.parts.get("messages", "")
        try:
            self._tree.show_path(parse_path(path))
        except TurnwiseError:
            return

    @property
    def _tree(self) -> RecordTree:
        return self.query_one(RecordTree)

    def _line(self, part: str) -> Input:
        return self.query_one(f"#part-{part}", Input)

    # What is typed and chosen

    def on_descendant_focus(self) -> None:
        """Offer what the line may be."""
        focused = self.focused
        if isinstance(focused, Input) and focused.id:
            before, self._part = self._part, focused.id.removeprefix("part-")
            is_speaker = self._part in OF_SPEAKERS and self._draft.parts.get("role")
            if self._part in PARTS and not is_speaker:
                self._taking = self._part
            if self._part != before:
                self._offer()
        self.refresh_bindings()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        part = (event.input.id or "").removeprefix("part-")
        if part in PARTS and self._draft.parts.get(part, "") != event.value.strip():
            self._draft.parts[part] = event.value.strip()
            self._read()
            if part == "messages":
                self._show_messages()
        if part == self._part:
            self._offer()

    def _offer(self) -> None:
        """Show the choices for the line, those that hold what is typed first."""
        for line in self.query(".line"):
            line.set_class(line.query_one(Input).id == f"part-{self._part}", "-here")
        label, asked = LABELS[self._part]
        if self._draft.parts.get("role"):
            asked = SPEAKERS.get(self._part, asked)
        self._ask(f"{label}: {asked}")
        typed = self._line(self._part).value.strip()
        # The list stands below all lines, and is of the one that is written in.
        heading = f"{label} may be"
        if self._part == "assistant" and self._asks_chatbot:
            heading = "Which is the chatbot?"
        elif self._part == "kept":
            heading = "Saved maps"
        self.query_one("#offered", Static).update(f" {heading}")
        if self._part == "kept":
            choices = [Choice(name, name, text) for name, text in self._kept.items()]
        else:
            choices = [Choice(text, text, note) for text, note in self._draft.choices(self._part)]
        is_one = any(choice.id == typed for choice in choices)
        fitting = [choice for choice in choices if is_one or typed.lower() in choice.name.lower()]
        shown = self.query_one(ChoiceList)
        shown.show(fitting or choices)
        # Where none of them is chosen yet, the one that the first key takes is marked.
        place = next((n for n, choice in enumerate(fitting or choices) if choice.id == typed), 0)
        shown.highlighted = place if fitting or choices else None

    def _ask(self, words: str, *, wrong: bool = False) -> None:
        """Say above the lines what is asked for. wrong: that it is lacking."""
        asked = self.query_one("#asked", Static)
        asked.set_class(wrong, "-wrong")
        asked.update(words)

    def _take(self, text: str) -> None:
        """Put a choice into the line that is asked for."""
        if self._part == "kept" and text in self._kept:
            self._take_kept(text)
        line = self._line(self._part)
        line.value = text
        line.cursor_position = len(text)
        if self._part == "messages":
            self._draft.parts["messages"] = text
            self._draft.find_parts()
            self._fill()

    def _take_kept(self, name: str) -> None:
        try:
            self._draft.take(self._kept[name])
        except TurnwiseError as error:
            self._show(FirstTurns(wrong=error.title))
            return
        self._fill()

    def _fill(self) -> None:
        """Write into the lines what the draft says."""
        for part in PARTS:
            self._line(part).value = self._draft.parts.get(part, "")
        self._read()
        self._show_messages()

    @on(OptionList.OptionSelected)
    def _clicked(self) -> None:
        if (choice := self.query_one(ChoiceList).current) is not None:
            self._take(choice.id)

    @on(Tree.NodeSelected)
    def _clicked_in_record(self, event: Tree.NodeSelected[DataPath]) -> None:
        event.stop()
        if event.node.allow_expand and self._part != "messages":
            event.node.toggle()
        else:
            self.action_take()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Do what enter does wherever the cursor is."""
        event.stop()
        self.action_import()

    # How it reads now

    def _read(self) -> None:
        draft = MappingDraft(self._draft.file, self._draft.records, dict(self._draft.parts))
        self._reading.ask(draft.first_turns, self._show)
        self._tree.tell(_told_paths(self._draft))

    def _show(self, first: FirstTurns) -> None:
        heading = self.query_one("#turns-heading", Static)
        named = f" · {make_safe_line(first.name)}" if first.name else ""
        heading.update(f"The first turns{named}")
        self.query_one(FirstTurnsView).show(first)
        if self._is_new and first.asks_chatbot:
            self._line("assistant").focus()
        self._is_new = False
        self._asks_chatbot = first.asks_chatbot
        self.refresh_bindings()
        chatbots = dict.fromkeys(turn.name for turn in first.turns if turn.role == "assistant" and turn.name)
        found = make_safe_line(", ".join(chatbots))
        choose = fill_keys(CHOOSE, self.shell.actions)
        self._guess(
            "assistant", "" if first.asks_chatbot else found, f"({choose})" if first.asks_chatbot else ""
        )
        self._guess("user", "all others" if self._draft.parts.get("role") else "", _OPTIONAL)

    def _guess(self, part: str, counts: str, hint: str) -> None:
        """Show in an empty line what counts while nothing is typed there, as a value; or else a hint."""
        line = self._line(part)
        line.placeholder = counts or hint
        line.set_class(bool(counts), "-counts")

    # Keys

    @property
    def _in_record(self) -> bool:
        return self.focused is self._tree

    @property
    def _lacking(self) -> Lacking:
        """What enter does about a chatbot that is lacking: take the marked one, or go to its line."""
        if not self._asks_chatbot:
            return ""
        is_here = self.focused is self._line("assistant") and self.query_one(ChoiceList).current is not None
        return "marked" if is_here else "line"

    def key_now(self, action: Action) -> Action:
        """Say in the record into which line space puts what the cursor is on; elsewhere it types."""
        if not self._in_record:
            if action.name == "import" and self._lacking:
                return replace(action, title=ENTER_TITLES[self._lacking])
            return action if action.name not in ("take", "fold") else replace(action, rank=0)
        words = {"take": (f"take as {LABELS[self._taking][0].lower()}", 2), "choice_down": ("part", 3)}
        title, rank = words.get(action.name, (action.title, action.rank))
        return replace(action, title=title, rank=rank)

    def action_choice_down(self) -> None:
        """Take the next choice, or go down in the record."""
        self._move(1)

    def action_choice_up(self) -> None:
        """Take the choice before, or go up in the record."""
        self._move(-1)

    def _move(self, by: int) -> None:
        if self._in_record:
            (self._tree.action_cursor_down if by > 0 else self._tree.action_cursor_up)()
            return
        shown = self.query_one(ChoiceList)
        if not shown.option_count:
            return
        here = shown.current
        is_chosen = here is not None and here.id == self._line(self._part).value.strip()
        if is_chosen or by < 0:
            shown.highlighted = ((shown.highlighted or 0) + by) % shown.option_count
        if (choice := shown.current) is not None:
            self._take(choice.id)

    def action_next_line(self) -> None:
        """Go to the next line, and from the last to the record."""
        self.screen.focus_next()

    def action_line_before(self) -> None:
        """Go to the line before."""
        self.screen.focus_previous()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to fold only in the record."""
        return self._in_record if action in ("fold", "unfold") else True

    def action_fold(self) -> None:
        """Fold what the cursor is on in the record."""
        if self._in_record:
            self._tree.fold()

    def action_unfold(self) -> None:
        """Unfold what the cursor is on in the record."""
        if self._in_record:
            self._tree.unfold()

    def action_take(self) -> None:
        """Put what the cursor is on in the record into the line that was asked for."""
        path = self._tree.path_at_cursor()
        if path is not None:
            self._part = self._taking
            self._take(self._draft.relative(self._part, path))
            self._offer()

    def action_import(self) -> None:
        """Import the file as it is said now."""
        # What was typed right before the key may not have been heard of yet.
        self._draft.parts = {part: self._line(part).value.strip() for part in PARTS}
        self._reading.ask(self._draft.first_turns, self._end)

    def _end(self, first: FirstTurns) -> None:
        if first.wrong or first.hint:
            self._show(first)
            marked = self.query_one(ChoiceList).current
            if self._lacking == "marked" and marked is not None:
                # How it reads then is seen first; the next enter imports.
                self._take(marked.id)
            elif self._lacking == "line":
                self._part = "assistant"
                self._line("assistant").focus()
                self._offer()
                self._ask(fill_keys(CHOOSE_FIRST, self.shell.actions), wrong=True)
            else:
                self._ask(NOT_IMPORTED, wrong=True)
            return
        self.dismiss(ToldMapping(self._draft.text, self._line("kept").value.strip()))


def _told_paths(draft: MappingDraft) -> dict[DataPath, str]:
    """Return what is said of each path from the record on."""
    told: dict[DataPath, str] = {}
    for part, text in draft.parts.items():
        if not text or (part in OF_SPEAKERS and draft.parts.get("role")):
            continue
        try:
            path = parse_path(text)
            way = parse_path(draft.parts.get("messages", ""))
        except TurnwiseError:
            continue
        for full in (path, (*way, EACH, *path)) if part != "messages" and way else (path,):
            told.setdefault(full, LABELS[part][0].lower())
    return told
